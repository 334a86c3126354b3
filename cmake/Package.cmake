# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, and the packages: scripts/package.sh makes a .deb for Debian 12 and a relocatable .tar.gz.
include(GNUInstallDirs)
set(id org.headscope.HeadScope)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/headscope)
set(resources ${PROJECT_SOURCE_DIR}/resources)
install(TARGETS headscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${resources}/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${resources}/${id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${resources}/package/${id}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME ${id}.xml)
install(FILES ${resources}/icons/headscope.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME ${id}.svg)
install(FILES ${resources}/package/headscope.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME headscope)
install(FILES ${resources}/python/headscope.py DESTINATION ${CMAKE_INSTALL_DATADIR}/headscope/python)
install(FILES ${resources}/package/copyright ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${documents})
configure_file(${resources}/package/changelog.in changelog.Debian @ONLY)

# The icon in the sizes of the icon theme, and what Debian wants compressed, without a time so that the bytes are the
# same each time.
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  foreach(size 16 22 24 32 48 64 128 256)
    set(folder \"\${root}/${CMAKE_INSTALL_DATADIR}/icons/hicolor/\${size}x\${size}/apps\")
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND rsvg-convert -w \${size} -h \${size} -o \"\${folder}/${id}.png\"
                    \"${resources}/icons/headscope.svg\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  function(compress from to)
    execute_process(COMMAND gzip -9nc \"\${from}\" OUTPUT_FILE \"\${root}/\${to}\" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  file(MAKE_DIRECTORY \"\${root}/${CMAKE_INSTALL_MANDIR}/man1\")
  compress(\"${resources}/headscope.1\" ${CMAKE_INSTALL_MANDIR}/man1/headscope.1.gz)
  compress(\"${PROJECT_SOURCE_DIR}/CHANGELOG.md\" ${documents}/changelog.gz)
  compress(\"${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian\" ${documents}/changelog.Debian.gz)")

# Only the program is built for a package.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME headscope)
set(CPACK_PACKAGE_VENDOR "HeadScope")
set(CPACK_PACKAGE_CONTACT "HeadScope maintainers <maintainers@headscope.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explore multi-head attention step by step")
set(CPACK_PACKAGE_DESCRIPTION "HeadScope computes multi-head attention exactly as PyTorch does, with every
intermediate step, and draws what each head attends to: masks, fill values,
chunks and half precisions, for typed sentences and for layers of real models
in safetensors and npz files. Figures and numbers are exported in the window or by a
command.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# Those of umask 022, whatever the umask of the user is.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "fonts-inter, fonts-dejavu-core, fonts-droid-fallback, qt6-translations-l10n, qt6-wayland")
include(CPack)
