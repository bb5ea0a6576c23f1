# Compiler flags shared by every target.
#
# Results must not depend on the optimiser's mood: contraction into fused multiply-add is off, so that only code which
# asks for it (the nn kernels) fuses. GONOGO_ARCH picks the instruction set; it changes the bits of float32 training and is
# therefore part of the provenance of every artefact.
include(CheckCXXSourceRuns)

if(NOT DEFINED GONOGO_ARCH)
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                        GONOGO_HOST_HAS_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(GONOGO_HOST_HAS_V3)
    set(GONOGO_ARCH "x86-64-v3" CACHE STRING "Instruction set passed to -march; empty = compiler default")
  else()
    set(GONOGO_ARCH "" CACHE STRING "Instruction set passed to -march; empty = compiler default")
  endif()
endif()

# -O3, CMake's own choice, costs an eighth more compilation; GonogoModule.cmake says which modules are worth it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
add_library(gonogo_flags INTERFACE)
add_library(gonogo::flags ALIAS gonogo_flags)
target_compile_options(gonogo_flags INTERFACE -ffp-contract=off)
if(GONOGO_ARCH)
  target_compile_options(gonogo_flags INTERFACE -march=${GONOGO_ARCH})
endif()

if(GONOGO_HARDEN)
  # What dpkg-buildflags says; none of these changes a result.
  add_compile_options(-fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wformat -Werror=format-security)
  add_link_options(-Wl,-z,relro -Wl,-z,now)
endif()

add_library(gonogo_warnings INTERFACE)
target_compile_options(gonogo_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(GONOGO_ARCH MATCHES "v4|native" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns of its own AVX-512 intrinsics.
  target_compile_options(gonogo_warnings INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
if(GONOGO_WERROR)
  target_compile_options(gonogo_warnings INTERFACE -Werror)
endif()

find_program(GONOGO_CCACHE ccache)
if(GONOGO_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GONOGO_CCACHE})
endif()
find_program(GONOGO_MOLD mold)
if(GONOGO_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
