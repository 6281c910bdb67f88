# SPDX-License-Identifier: BSL-1.0
# How berth's own programs are compiled. Nothing here reaches a user of the library.
include_guard(GLOBAL)

set(CMAKE_CXX_EXTENSIONS OFF)

foreach(component IN ITEMS fmt sim)
  if(NOT TARGET berth::${component})
    message(FATAL_ERROR "berth's tests, examples and benches need fmt and nlohmann-json: install them "
                        "(./run test does), or turn off BERTH_BUILD_TESTS, _EXAMPLES, _BENCH and _FUZZ")
  endif()
endforeach()
find_package(Threads REQUIRED)

add_library(berth_developer INTERFACE)
target_compile_features(berth_developer INTERFACE cxx_std_20)
target_link_libraries(berth_developer INTERFACE berth::sim berth::fmt berth::graph Threads::Threads)
target_compile_definitions(berth_developer INTERFACE
  BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  BERTH_DATA_DIR="${BERTH_DATA_DIR}")
target_compile_options(berth_developer INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wundef -Wcast-qual -Wdouble-promotion
  $<$<BOOL:${BERTH_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-fconcepts-diagnostics-depth=8>)
if(BERTH_HARDENED)
  target_compile_definitions(berth_developer INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(BERTH_SANITIZE)
  list(JOIN BERTH_SANITIZE "," berth_sanitizers)
  target_compile_options(berth_developer INTERFACE
    -fsanitize=${berth_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(berth_developer INTERFACE -fsanitize=${berth_sanitizers})
endif()

# The chart library that the HTML report carries inside itself. Optional: without it the page draws SVG.
include(cmake/embed_chartjs.cmake OPTIONAL)
if(COMMAND berth_embed_chartjs)
  berth_embed_chartjs(berth_developer)
endif()
