# Debian packages by cpack, out of a build for /usr: `cmake --preset release`,
# `cmake --build --preset release`, `cpack --preset release`. stage.cmake adds
# the steps that cpack lacks: documents, compressed pages, stripped archives.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR NOT JC_WEB)
	return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME jointcast)
set(CPACK_PACKAGE_VENDOR jointcast)
# Each package has a summary of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT "jointcast maintainers <maintainers@jointcast.example>")
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL daemon tools library development viewer webcam)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)

# Packages of two releases differ in what they are linked with.
file(STRINGS /etc/os-release release REGEX "^VERSION_ID=")
string(REGEX REPLACE "[^0-9]" "" release "${release}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb${release})
set(JC_DEBIAN_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(debian ${CMAKE_CURRENT_LIST_DIR})
set(CPACK_DEBIAN_DAEMON_PACKAGE_NAME jointcastd)
set(CPACK_DEBIAN_DAEMON_PACKAGE_SECTION net)
# libwebsockets loads its part for libuv by itself; a reload is a kill.
set(CPACK_DEBIAN_DAEMON_PACKAGE_DEPENDS "libwebsockets-evlib-uv, procps")
set(CPACK_DEBIAN_DAEMON_PACKAGE_RECOMMENDS jointcast-viewer)
set(CPACK_DEBIAN_DAEMON_PACKAGE_SUGGESTS "jointcast, libopenxr-loader1")
set(CPACK_DEBIAN_DAEMON_PACKAGE_CONTROL_EXTRA ${debian}/jointcastd/conffiles
	${debian}/jointcastd/postinst ${debian}/jointcastd/prerm ${debian}/jointcastd/postrm)
set(CPACK_DEBIAN_DAEMON_DESCRIPTION "server of humanoid motion for browsers and worlds
jointcastd reads tracked human bodies (OpenXR, WebXR, VMC, motion files,
recordings), fits their motion onto registered humanoid skeletons and sends
small packets of joint rotations over WebSockets.

It runs as a hardened service of systemd that listens on the loopback address
by default.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME jointcast)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
# libassimp is large and reads FBX files alone: the tool names the package when it meets one.
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "jointcastd, libassimp5")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "inspect, retarget and convert humanoid motions and skeletons
jointcast shows the content of motion and skeleton files (BVH, FBX, glTF, VRM,
VRMA, H-Anim, body frames, MCAP recordings), retargets and converts between
them, and reports defects of skeletons to artists.

It also subscribes to, publishes to, records and measures a jointcastd.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libjointcast${JC_ABI})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
configure_file(${debian}/libjointcast/shlibs.in ${CMAKE_BINARY_DIR}/debian/shlibs @ONLY)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/shlibs
	${debian}/libjointcast/symbols ${debian}/libjointcast/triggers)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "retargeting and coding of humanoid motion - shared library
libjointcast reads humanoid motions and skeletons, retargets the ones onto the
others, codes poses into small packets and reads and writes recordings. It
performs no input or output, reads no clock and starts no thread.

This package contains the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libjointcast-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libjointcast${JC_ABI} (= ${JC_DEBIAN_VERSION}), \
libexpat1-dev, libjansson-dev, libssl-dev, libzstd-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "retargeting and coding of humanoid motion - development files
libjointcast reads humanoid motions and skeletons, retargets the ones onto the
others, codes poses into small packets and reads and writes recordings. It
performs no input or output, reads no clock and starts no thread.

This package contains the headers, which document it, the static library and
the file for pkg-config.")

set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME jointcast-viewer)
set(CPACK_DEBIAN_VIEWER_PACKAGE_SECTION web)
set(CPACK_DEBIAN_VIEWER_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_VIEWER_DESCRIPTION "viewer, publishing page and JavaScript client of jointcast
The web pages that jointcastd serves: one shows the bodies of a space, one
publishes a body from a headset into it with WebXR. The package also contains
the client library for browsers and Node, and the parts of three.js and
three-vrm that the pages use.")

set(CPACK_DEBIAN_WEBCAM_PACKAGE_NAME jointcast-webcam)
set(CPACK_DEBIAN_WEBCAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_WEBCAM_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_WEBCAM_PACKAGE_ENHANCES jointcast-viewer)
set(CPACK_DEBIAN_WEBCAM_DESCRIPTION "webcam as body tracker for the pages of jointcast
The program and models of MediaPipe Holistic with which the publishing page of
jointcast-viewer finds a person in the pictures of a webcam. Pages load them
from jointcastd after the person chooses the webcam; pictures stay in the page.")

configure_file(${debian}/libjointcast/overrides ${CMAKE_BINARY_DIR}/debian/overrides @ONLY)
configure_file(${debian}/changelog.in ${CMAKE_BINARY_DIR}/debian/changelog @ONLY)
configure_file(${debian}/stage.cmake.in ${CMAKE_BINARY_DIR}/debian/stage.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_BINARY_DIR}/debian/stage.cmake)
include(CPack)
