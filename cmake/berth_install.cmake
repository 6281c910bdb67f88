# SPDX-License-Identifier: BSL-1.0
# Install rules: one export file a component, so that find_package(berth) asks for fmt only when a
# component that needs it is requested.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(berth_cmake_dir "${CMAKE_INSTALL_DATADIR}/cmake/berth")

foreach(component IN LISTS berth_components)
  set(target berth_${component})
  if(component STREQUAL "core")
    set(target berth)
  endif()
  install(TARGETS ${target} EXPORT berth_${component}
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT berth_${component} NAMESPACE berth:: DESTINATION "${berth_cmake_dir}"
          FILE berth-${component}.cmake)
endforeach()

set(berth_independence ARCH_INDEPENDENT)
if(BERTH_BUILD_C)
  set(berth_independence)
  install(TARGETS ${berth_c_libraries} EXPORT berth_c
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT berth_c NAMESPACE berth:: DESTINATION "${berth_cmake_dir}" FILE berth-c.cmake)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/berth_c.pc.in" "${PROJECT_BINARY_DIR}/berth_c.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/berth_c.pc"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/berthConfig.cmake.in" "${PROJECT_BINARY_DIR}/berthConfig.cmake"
  INSTALL_DESTINATION "${berth_cmake_dir}")
# While 0.x a minor version may break; from 1.0 on this becomes SameMajorVersion.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/berthConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ${berth_independence})
install(FILES "${PROJECT_BINARY_DIR}/berthConfig.cmake" "${PROJECT_BINARY_DIR}/berthConfigVersion.cmake"
        DESTINATION "${berth_cmake_dir}")

configure_file("${PROJECT_SOURCE_DIR}/cmake/berth.pc.in" "${PROJECT_BINARY_DIR}/berth.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/berth.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/berth")
