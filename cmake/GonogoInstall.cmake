# What `cmake --install` puts where: libraries and headers (component dev), the program (runtime), robots and examples (data).
# Included before the modules: gonogo_install_library is called by gonogo_module for each of them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The component of find_package a module belongs to; those not named here (cli) are no library for others.
set(gonogo_modules_Audit flags same_bits base io stats nn adapter audit calibrate report)
set(gonogo_modules_Control nn_onnx adapter_folder audit_deploy robot response control)
set(gonogo_modules_Sim sim study)
set(gonogo_modules_All train paper)
set(gonogo_install_components Audit Control)
if(GONOGO_SIM)
  list(APPEND gonogo_install_components Sim)
endif()
if(GONOGO_PAPER)
  list(APPEND gonogo_install_components All)
endif()
set(gonogo_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gonogo)

# Installs the library gonogo_NAME for others.
function(gonogo_install_library name)
  foreach(component IN ITEMS Audit Control Sim All)
    if(NOT name IN_LIST gonogo_modules_${component} OR NOT component IN_LIST gonogo_install_components)
      continue()
    endif()
    set_target_properties(gonogo_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS gonogo_${name} EXPORT gonogo${component}Targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  endforeach()
endfunction()

# The engine lies in a folder of our own, where the program finds it from wherever it is installed.
set(gonogo_private_libraries ${CMAKE_INSTALL_LIBDIR}/gonogo)
function(gonogo_finds_engine target destination)
  cmake_path(RELATIVE_PATH gonogo_private_libraries BASE_DIRECTORY ${destination} OUTPUT_VARIABLE way)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "\$ORIGIN/${way}")
endfunction()

# After the modules: the package files, which name what the modules gave.
function(gonogo_install_package)
  foreach(component IN LISTS gonogo_install_components)
    install(EXPORT gonogo${component}Targets NAMESPACE gonogo:: DESTINATION ${gonogo_package_folder} COMPONENT dev)
  endforeach()
  set(gonogo_engine ${gonogo_private_libraries}/libmujoco.so)
  if(TARGET mujoco::mujoco)
    get_target_property(library mujoco::mujoco IMPORTED_LOCATION)
    install(FILES ${library} DESTINATION ${gonogo_private_libraries} COMPONENT engine)
    # What others contributed to it; a copy of somebody's own may have no such file.
    cmake_path(GET library PARENT_PATH licenses)
    install(FILES ${licenses}/../licenses/LICENSES_THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gonogo-sim
            RENAME mujoco-third-party.md COMPONENT engine OPTIONAL)
    cmake_path(GET library FILENAME library)
    set(gonogo_engine ${gonogo_private_libraries}/${library})
  endif()
  string(TOLOWER "${gonogo_install_components}" gonogo_levels_here)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gonogoConfig.cmake.in ${PROJECT_BINARY_DIR}/gonogoConfig.cmake
                                INSTALL_DESTINATION ${gonogo_package_folder} PATH_VARS gonogo_engine)
  # While the major version is 0, minor versions may break.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/gonogoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/gonogoConfig.cmake ${PROJECT_BINARY_DIR}/gonogoConfigVersion.cmake
          DESTINATION ${gonogo_package_folder} COMPONENT dev)
  # What they include is looked up while installing, so that it is never what it was when CMake last ran.
  install(CODE "set(SOURCE ${PROJECT_SOURCE_DIR})
                set(WANTED ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
                set(DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR})
                include(${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake)" COMPONENT dev)
  set(data ${PROJECT_SOURCE_DIR}/examples)
  if(GONOGO_SIM)
    list(APPEND data ${PROJECT_SOURCE_DIR}/robots)
  endif()
  install(DIRECTORY ${data} DESTINATION ${CMAKE_INSTALL_DATADIR}/gonogo
          COMPONENT data PATTERN "looks.json" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "checkpoint.bin" EXCLUDE)
endfunction()

# Man pages and completion, made from what the program says about itself.
function(gonogo_install_help)
  set(folder ${PROJECT_BINARY_DIR}/help)
  add_custom_command(OUTPUT ${folder}/verbs.md DEPENDS gonogo ${PROJECT_SOURCE_DIR}/tools/help_pages.py
                     COMMAND ${PROJECT_SOURCE_DIR}/tools/help_pages.py $<TARGET_FILE:gonogo> ${folder}
                     COMMENT "Writing man pages and completion" VERBATIM)
  add_custom_target(gonogo_help DEPENDS ${folder}/verbs.md)
  install(DIRECTORY ${folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime OPTIONAL)
  install(FILES ${folder}/bash/gonogo DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime OPTIONAL)
  install(FILES ${folder}/zsh/_gonogo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT runtime OPTIONAL)
  install(FILES ${folder}/fish/gonogo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime OPTIONAL)
endfunction()
