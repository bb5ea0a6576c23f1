# What a build contains. Audits of tables are always there: tables, logs, plans, calibration, adapters, reports. Robots, training and
# the paper are components of their own, so that somebody who audits a table compiles none of them (`cmake --preset tables`).
option(GONOGO_SIM "Robots: MuJoCo worlds, policies, controllers, studies" ON)
option(GONOGO_TRAIN "Training of policies (gonogo train); needs GONOGO_SIM" ON)
option(GONOGO_PAPER "The paper's tables and findings beside ours (gonogo reproduce); needs GONOGO_SIM and GONOGO_TRAIN" ON)

if(GONOGO_SIM)
  find_package(MuJoCo QUIET)
  if(NOT MuJoCo_FOUND)
    message(STATUS "Without robots: there is no MuJoCo 3. ${MuJoCo_TOO_OLD}")
    message(STATUS "tools/install_mujoco.sh gets it, -DMUJOCO_ROOT=FOLDER takes a copy of yours.")
    set(GONOGO_SIM OFF)
  endif()
endif()
# A component without what it needs is left out, and says so.
macro(gonogo_component_needs component needed)
  if(${component} AND NOT ${needed})
    message(STATUS "gonogo: without ${component}, which needs ${needed}")
    set(${component} OFF)
  endif()
endmacro()
gonogo_component_needs(GONOGO_TRAIN GONOGO_SIM)
gonogo_component_needs(GONOGO_PAPER GONOGO_TRAIN)
# Modules that a build may do without.
set(gonogo_optional_modules robot sim response control train paper)

# Reads [collect] of a protocol, where a robot's table was declared: every build has to know its keys, because they are part of the
# fingerprint. Where robots are built, these sources belong to their modules.
function(gonogo_collect_sources result)
  set(sources study/collect/collect_config.cc sim/world/ground.cc sim/world/terrain.cc sim/world/tiles.cc
              sim/loop/conditions.cc)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/gonogo/)
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
