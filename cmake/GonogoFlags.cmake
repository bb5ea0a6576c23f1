# Compiler flags shared by every target.
#
# Results must not depend on the optimiser's mood: contraction into fused multiply-add is off, so that only code which
# asks for it (the nn kernels) fuses. GONOGO_ARCH picks the instruction set; it changes the bits of float32 training and is
# therefore part of the provenance of every artefact.
include(CheckCXXSourceCompiles)
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
set(result_flags -ffp-contract=off)
if(GONOGO_ARCH)
  list(APPEND result_flags -march=${GONOGO_ARCH})
endif()
add_library(gonogo_flags INTERFACE)
add_library(gonogo::flags ALIAS gonogo_flags)
target_compile_options(gonogo_flags INTERFACE "$<BUILD_INTERFACE:${result_flags}>")
# Users of the installed libraries choose their own flags. Only what an Eigen matrix looks like in memory has to be what it is here: its
# alignment, and with it who frees it, follows from the instruction set unless it is said.
list(JOIN result_flags " " CMAKE_REQUIRED_FLAGS)
string(MAKE_C_IDENTIFIER "${GONOGO_ARCH}" arch)
check_cxx_source_compiles("#ifndef __AVX__\n#error\n#endif\nint main() {}" GONOGO_ALIGNS_32_${arch})
check_cxx_source_compiles("#ifndef __AVX512F__\n#error\n#endif\nint main() {}" GONOGO_ALIGNS_64_${arch})
unset(CMAKE_REQUIRED_FLAGS)
set(alignment 16)
if(GONOGO_ALIGNS_64_${arch})
  set(alignment 64)
elseif(GONOGO_ALIGNS_32_${arch})
  set(alignment 32)
endif()
target_compile_definitions(gonogo_flags INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=${alignment}>
                           $<INSTALL_INTERFACE:EIGEN_MAX_STATIC_ALIGN_BYTES=${alignment}>)
# For a user who wants the last bits of the program in what is compiled from our headers, too.
add_library(gonogo_same_bits INTERFACE)
add_library(gonogo::same_bits ALIAS gonogo_same_bits)
target_compile_options(gonogo_same_bits INTERFACE ${result_flags})

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
