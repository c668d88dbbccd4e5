/** Packages of libraries: the names in Debian and Fedora. */
const packages: Record<string, [deb: string, rpm: string]> = {
  "libasound.so": ["libasound2", "alsa-lib"],
  "libatk-1.0.so": ["libatk1.0-0", "atk"],
  "libatk-bridge-2.0.so": ["libatk-bridge2.0-0", "at-spi2-atk"],
  "libatspi.so": ["libatspi2.0-0", "at-spi2-core"],
  "libcairo.so": ["libcairo2", "cairo"],
  "libcups.so": ["libcups2", "cups-libs"],
  "libdbus-1.so": ["libdbus-1-3", "dbus-libs"],
  "libdrm.so": ["libdrm2", "libdrm"],
  "libexpat.so": ["libexpat1", "expat"],
  "libfontconfig.so": ["libfontconfig1", "fontconfig"],
  "libfreetype.so": ["libfreetype6", "freetype"],
  "libgbm.so": ["libgbm1", "mesa-libgbm"],
  "libgio-2.0.so": ["libglib2.0-0", "glib2"],
  "libglib-2.0.so": ["libglib2.0-0", "glib2"],
  "libgobject-2.0.so": ["libglib2.0-0", "glib2"],
  "libnspr4.so": ["libnspr4", "nspr"],
  "libnss3.so": ["libnss3", "nss"],
  "libnssutil3.so": ["libnss3", "nss-util"],
  "libsmime3.so": ["libnss3", "nss"],
  "libpango-1.0.so": ["libpango-1.0-0", "pango"],
  "libudev.so": ["libudev1", "systemd-libs"],
  "libX11.so": ["libx11-6", "libX11"],
  "libxcb.so": ["libxcb1", "libxcb"],
  "libXcomposite.so": ["libxcomposite1", "libXcomposite"],
  "libXdamage.so": ["libxdamage1", "libXdamage"],
  "libXext.so": ["libxext6", "libXext"],
  "libXfixes.so": ["libxfixes3", "libXfixes"],
  "libxkbcommon.so": ["libxkbcommon0", "libxkbcommon"],
  "libXrandr.so": ["libxrandr2", "libXrandr"],
  // Debian's builds of Chromium use these from the system.
  "libdav1d.so": ["libdav1d6", "libdav1d"],
  "libdouble-conversion.so": ["libdouble-conversion3", "double-conversion"],
  "libFLAC.so": ["libflac12", "flac-libs"],
  "libharfbuzz.so": ["libharfbuzz0b", "harfbuzz"],
  "libharfbuzz-subset.so": ["libharfbuzz-subset0", "harfbuzz"],
  "libjpeg.so": ["libjpeg62-turbo", "libjpeg-turbo"],
  "liblcms2.so": ["liblcms2-2", "lcms2"],
  "libminizip.so": ["libminizip1", "minizip-compat"],
  "libopenh264.so": ["libopenh264-7", "openh264"],
  "libopenjp2.so": ["libopenjp2-7", "openjpeg2"],
  "libopus.so": ["libopus0", "opus"],
  "libpulse.so": ["libpulse0", "pulseaudio-libs"],
  "libXNVCtrl.so": ["libxnvctrl0", "libXNVCtrl"],
}

/** Missing libraries of a program, by package if known. */
export interface Missing {
  libraries: string[]
  deb: string[]
  rpm: string[]
}

/** Returns undefined if all are found, or the system cannot list them. */
export function missingLibraries(program: string): Missing | undefined {
  if (process.platform !== "linux" || !Bun.which("ldd")) return undefined
  const { stdout } = Bun.spawnSync(["ldd", program], { stdout: "pipe", stderr: "ignore" })
  return missingIn(stdout.toString())
}

/** Parses the missing libraries in the output of `ldd`. */
export function missingIn(reported: string): Missing | undefined {
  const libraries = [...reported.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name!)
  if (libraries.length === 0) return undefined
  const known = libraries.flatMap((name) => {
    const packageName = packages[name.replace(/\.so(?:\.\d+)*$/, ".so")]
    return packageName ? [packageName] : []
  })
  return {
    libraries,
    deb: [...new Set(known.map(([deb]) => deb))],
    rpm: [...new Set(known.map(([, rpm]) => rpm))],
  }
}

export function missingWords({ libraries, deb, rpm }: Missing): string {
  const install =
    deb.length > 0
      ? `; install ${deb.join(" ")} (Debian and Ubuntu; newer releases may add t64 to a name) or ${rpm.join(" ")} (Fedora)`
      : ""
  return `it lacks ${libraries.join(", ")}${install}`
}
