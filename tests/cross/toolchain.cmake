# Cross-compiles with Debian's compilers and runs the results with qemu-user. JC_ARCHITECTURE is
# the Debian name of the architecture, JC_SYSROOT the folder with its libraries; prepare.sh makes
# both ready.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JC_ARCHITECTURE JC_SYSROOT)

# The compiler's prefix, CMake's name of the processor, and qemu's.
set(JC_CROSS_arm64 aarch64-linux-gnu aarch64 aarch64)
set(JC_CROSS_armhf arm-linux-gnueabihf armv7l arm)
set(JC_CROSS_s390x s390x-linux-gnu s390x s390x)
list(GET JC_CROSS_${JC_ARCHITECTURE} 0 triplet)
list(GET JC_CROSS_${JC_ARCHITECTURE} 1 processor)
list(GET JC_CROSS_${JC_ARCHITECTURE} 2 emulator)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_SYSROOT ${JC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${JC_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${JC_SYSROOT}/usr/lib/${triplet}/pkgconfig:${JC_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${emulator}-static -L ${JC_SYSROOT})
