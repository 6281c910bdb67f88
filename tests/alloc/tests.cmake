# SPDX-License-Identifier: BSL-1.0
# An operator new that counts, for all the tests here.
target_sources(test_alloc PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/support/counting_new.cpp")
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/support/counting_new.cpp"
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
