/**
 * Flags that the operator must not set, because they would bypass the egress filter or give others
 * access.
 */
const refused: readonly [flag: RegExp, why: string][] = [
  [
    /^(?:proxy-.*|no-proxy-server|winhttp-proxy-resolver|host-resolver-rules|host-rules|dns-over-https-.*)$/,
    "pages reach the network only through the filtering proxy; set upstream proxies in TRAWL_PROXY_URLS",
  ],
  [
    /^(?:enable-quic|origin-to-force-quic-on|force-webrtc-ip-handling-policy|webrtc-ip-handling-policy)$/,
    "it opens a path to the network around the egress filter",
  ],
  [/^remote-(?:debugging|allow)-.*$/, "any program that reaches the port could control Chrome"],
  [/^user-data-dir$/, "each Chrome has a folder of its own, which is removed with it"],
  [
    /^(?:load-extension|disable-extensions-except|enable-extensions)$/,
    "an extension can change the proxy; use it in a browser at TRAWL_CHROME_WS instead",
  ],
]

/** Validates the operator's flags. @throws Error naming the flag */
export function checkChromeArgs(args: readonly string[]): void {
  for (const arg of args) {
    const [, name] = /^--([a-z][\w-]*)(?:=|$)/i.exec(arg) ?? []
    if (!name)
      throw new Error(`"${arg}" is not a valid flag. Write flags as --name or --name=value.`)
    const why = refused.find(([flag]) => flag.test(name.toLowerCase()))?.[1]
    if (why) throw new Error(`--${name} cannot be used: ${why}.`)
  }
}

/** The operator's flags override the defaults; features that either disables stay disabled. */
export function withOperatorFlags(own: readonly string[], args: readonly string[]): string[] {
  const all = [...own, ...args]
  const off = all.flatMap((flag) => (flag.startsWith(disable) ? [flag.slice(disable.length)] : []))
  return [...all.filter((flag) => !flag.startsWith(disable)), `${disable}${off.join(",")}`]
}

const disable = "--disable-features="
