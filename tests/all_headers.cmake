# SPDX-License-Identifier: BSL-1.0
# Writes a header that includes every header given.
function(berth_write_all_headers output)
  set(text "#pragma once\n")
  foreach(header IN LISTS ARGN)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${berth_include_dir}")
    string(APPEND text "#include <${header}>\n")
  endforeach()
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}" @ONLY)
endfunction()
