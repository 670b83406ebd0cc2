# Building for a Maya whose devkit is in DEVKIT_LOCATION. The definitions, libraries and endings are those that
# Autodesk's documentation of plug-ins names for each platform ("Setting up your build environment").
if(NOT EXISTS "${DEVKIT_LOCATION}/include/maya/MPxNode.h")
  message(FATAL_ERROR "DEVKIT_LOCATION: there is no file ${DEVKIT_LOCATION}/include/maya/MPxNode.h")
endif()
target_include_directories(sinew_maya_api SYSTEM INTERFACE "${DEVKIT_LOCATION}/include")
if(WIN32)
  target_compile_definitions(sinew_maya_api INTERFACE NT_PLUGIN REQUIRE_IOSTREAM _USE_MATH_DEFINES)
elseif(APPLE)
  target_compile_definitions(sinew_maya_api INTERFACE _BOOL REQUIRE_IOSTREAM OSMac_ OSMac_MachO_ MAC_PLUGIN)
else()
  target_compile_definitions(sinew_maya_api INTERFACE _BOOL REQUIRE_IOSTREAM LINUX _LINUX)
endif()

foreach(name OpenMaya OpenMayaAnim OpenMayaUI OpenMayaRender Foundation)
  find_library(maya_${name} NAMES ${name} PATHS "${DEVKIT_LOCATION}/lib" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(maya_${name})
    target_link_libraries(sinew_maya_api INTERFACE "${maya_${name}}")
  elseif(WIN32 OR APPLE)
    message(FATAL_ERROR "DEVKIT_LOCATION: the library ${name} is not in ${DEVKIT_LOCATION}/lib")
  endif()
  # On Linux, Maya itself has them when it loads the plug-in.
endforeach()

# What Maya loads: the ending that it looks for, and the library of Sinew beside it in the module.
function(finish_plugin target)
  if(WIN32)
    set_target_properties(${target} PROPERTIES SUFFIX .mll)
    target_link_options(${target} PRIVATE /export:initializePlugin /export:uninitializePlugin)
  elseif(APPLE)
    set_target_properties(
      ${target} PROPERTIES SUFFIX .bundle BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH @loader_path/../lib)
  else()
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")
  endif()
endfunction()
