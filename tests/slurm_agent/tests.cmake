# SPDX-License-Identifier: BSL-1.0
# The Slurm agent without Slurm: everything of it but what includes libslurm.
if(NOT TARGET test_slurm_agent)
  return()
endif()
set(agent_folder "${PROJECT_SOURCE_DIR}/examples/slurm_agent")
file(GLOB agent_sources CONFIGURE_DEPENDS "${agent_folder}/agent*.cpp")
target_sources(test_slurm_agent PRIVATE ${agent_sources} "${agent_folder}/job_request.cpp"
  "${agent_folder}/journal.cpp" "${agent_folder}/memory_file.cpp")
