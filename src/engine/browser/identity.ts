/**
 * What Chrome says it is: its own version, without the word "Headless" that makes sites refuse it,
 * and client hints that agree with it.
 */
export function browserIdentity(version: string) {
  const full = /([\d.]+)$/.exec(version)?.[1] ?? "142.0.0.0"
  const major = full.split(".")[0]!
  const brands = [
    { brand: "Chromium", version: major },
    { brand: "Google Chrome", version: major },
    { brand: "Not_A Brand", version: "99" },
  ]
  return {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map((one) =>
        one.brand === "Not_A Brand" ? { ...one, version: "99.0.0.0" } : { ...one, version: full },
      ),
      fullVersion: full,
      platform: "Linux",
      platformVersion: "6.1.0",
      architecture: "x86",
      bitness: "64",
      model: "",
      mobile: false,
      wow64: false,
    },
    platform: "Linux x86_64",
  }
}
