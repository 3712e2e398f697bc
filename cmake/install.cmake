# What `cmake --install` puts where: the library for find_package and pkg-config, the command with
# its man page and completions, documents and scenes. Nothing of it knows the prefix: the whole may be
# moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ---- the library ----

install(TARGETS supple EXPORT supple INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/supple DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
install(EXPORT supple NAMESPACE supple:: FILE suppleTargets.cmake DESTINATION ${config_folder})
configure_file(cmake/suppleConfig.cmake.in suppleConfig.cmake @ONLY)
# Before 1.0.0 a minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/suppleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/suppleConfig.cmake ${PROJECT_BINARY_DIR}/suppleConfigVersion.cmake
  DESTINATION ${config_folder})

# pkg-config: a static library asks for what it needs in every case, a shared one has it already.
set(pc_needs "-lm -pthread")
set(pc_libs "-lsupple")
set(pc_libs_private "${pc_needs}")
if(NOT BUILD_SHARED_LIBS)
  set(pc_libs "-lsupple ${pc_needs}")
  set(pc_libs_private)
endif()
# Folders are told from the place of the file itself, but for those that are given as absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  set(pc_prefix /)
  cmake_path(RELATIVE_PATH pc_prefix BASE_DIRECTORY /${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  string(PREPEND pc_prefix "\${pcfiledir}/")
endif()
cmake_path(APPEND pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/supple.pc.in supple.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/supple.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- the command ----

# supple_install_said(FILE FOLDER WORD...): what the command prints when it gets these words
function(supple_install_said file folder)
  set(path ${PROJECT_BINARY_DIR}/said/${file})
  add_custom_command(OUTPUT ${path} COMMAND supple_tool ${ARGN} > ${path} DEPENDS supple_tool VERBATIM)
  set_property(TARGET supple_said APPEND PROPERTY SOURCES ${path})
  install(FILES ${path} DESTINATION ${folder})
endfunction()

if(SUPPLE_TOOL)
  install(TARGETS supple_tool)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/supple)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "Man page and completions are left out: this machine cannot run the command")
  else()
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/said)
    add_custom_target(supple_said ALL)
    supple_install_said(supple.1 ${CMAKE_INSTALL_MANDIR}/man1 manual)
    supple_install_said(supple ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
    supple_install_said(_supple ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
    supple_install_said(supple.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
  endif()
endif()

# ---- documents ----

if(PROJECT_IS_TOP_LEVEL)
  install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
  include(CPack) # `cpack -G TGZ` makes an archive of all this
endif()
