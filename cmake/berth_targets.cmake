# SPDX-License-Identifier: BSL-1.0
# The four public targets. Each owns its part of include/ as a header set, so that installing a target
# installs its headers and every header is compiled alone by the target all_verify_interface_header_sets.
include_guard(GLOBAL)

set(berth_include_dir "${CMAKE_CURRENT_LIST_DIR}/../include")
cmake_path(NORMAL_PATH berth_include_dir)

if(NOT TARGET Boost::headers)
  find_package(Boost 1.74 CONFIG REQUIRED)
endif()
if(NOT TARGET fmt::fmt)
  find_package(fmt 9 QUIET)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  find_package(nlohmann_json 3.9 QUIET)
endif()

file(GLOB_RECURSE berth_core_headers CONFIGURE_DEPENDS "${berth_include_dir}/berth/*.hpp")
file(GLOB_RECURSE berth_sim_headers CONFIGURE_DEPENDS "${berth_include_dir}/berth_sim/*.hpp")
# A bridge needs the library it is named after; the name decides who owns the header.
set(berth_fmt_headers ${berth_core_headers})
list(FILTER berth_fmt_headers INCLUDE REGEX "/berth/interop/.*fmt")
set(berth_graph_headers ${berth_core_headers})
list(FILTER berth_graph_headers INCLUDE REGEX "/berth/interop/.*graph")
list(FILTER berth_core_headers EXCLUDE REGEX "/berth/interop/.*(fmt|graph)")

# name: core, fmt, graph or sim; the rest are its headers. The target berth_<name> (berth for the core) is
# used as berth::<name>, here and after find_package.
function(berth_add_interface name)
  set(target berth_${name})
  set(exported ${name})
  if(name STREQUAL "core")
    set(target berth)
    set(exported berth)
  endif()
  add_library(${target} INTERFACE)
  add_library(berth::${exported} ALIAS ${target})
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_sources(${target} INTERFACE
    FILE_SET HEADERS BASE_DIRS "${berth_include_dir}" FILES ${ARGN})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${exported}
    VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
endfunction()

berth_add_interface(core ${berth_core_headers})
target_link_libraries(berth INTERFACE Boost::headers)
if(BERTH_HARDENED)
  # Not exported: an installed berth is hardened, or not, by the program that uses it.
  target_compile_definitions(berth INTERFACE $<BUILD_INTERFACE:BERTH_HARDENED=1>)
endif()
set(berth_components core)

berth_add_interface(graph ${berth_graph_headers})
target_link_libraries(berth_graph INTERFACE berth)
list(APPEND berth_components graph)

if(TARGET fmt::fmt)
  berth_add_interface(fmt ${berth_fmt_headers})
  target_link_libraries(berth_fmt INTERFACE berth fmt::fmt)
  list(APPEND berth_components fmt)
endif()

if(TARGET fmt::fmt AND TARGET nlohmann_json::nlohmann_json)
  berth_add_interface(sim ${berth_sim_headers})
  target_link_libraries(berth_sim INTERFACE berth berth_fmt nlohmann_json::nlohmann_json)
  list(APPEND berth_components sim)
endif()
