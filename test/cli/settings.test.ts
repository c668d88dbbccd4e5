import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSettings } from "../../src/cli/common/settings.ts"
import { settings } from "../../src/config/settings.ts"

const messageOf = (env: Record<string, string>) => {
  try {
    readSettings(env)
  } catch (error) {
    return (error as Error).message
  }
}

describe("a wrong setting is named, with the fix", () => {
  const wrong: [variable: string, value: string, hint: string][] = [
    ["TRAWL_PORT", "many", "integer"],
    ["TRAWL_PORT", "70000", "65535"],
    ["TRAWL_WORKERS", "-1", "0"],
    ["TRAWL_SIGNUP", "maybe", "unowned, open, closed"],
    ["TRAWL_TOOLS_LIMIT_STATUS", "300", "200 or 429"],
    ["TRAWL_TRUST_PROXY", "nginx", "127.0.0.1 or 10.0.0.0/8"],
    ["TRAWL_TRUST_PROXY", "127.0.0.1,10.0.0.0/99", '"10.0.0.0/99"'],
    ["TRAWL_BASE_URL", "trawl.test", "https://trawl.example.com"],
    ["TRAWL_BASE_URL", "localhost:8080", "https://trawl.example.com"],
    ["TRAWL_BASE_URL", "ftp://trawl.test", "https://trawl.example.com"],
    ["TRAWL_BASE_URL", "https://trawl.test/?a=b", "https://trawl.example.com"],
    ["TRAWL_EGRESS_ALLOW", "10.0.0.0/99", "CIDR"],
    ["TRAWL_CHROME", "/there/is/none", "path of Chrome"],
    ["TRAWL_CHROME", import.meta.dir, "path of Chrome"],
    ["TRAWL_CHROME_WS", "browser", "ws://host:port"],
    [
      "TRAWL_PROXY_URLS",
      "http://a.test,socks5://proxy.test:1080",
      "entry 2 has the scheme socks5://",
    ],
    ["TRAWL_METRICS_ADDRESS", "127.0.0.1:99999", "an IP address and a port"],
    ["TRAWL_UNLOCKER_URL", "socks5://proxy.test:1080", "http:// or https://"],
    ["TRAWL_WORKER", "2", "TRAWL_WORKERS"],
    ["TRAWL_BASEURL", "https://trawl.test", "TRAWL_BASE_URL"],
    ["TRAWL_CHROM", "/usr/bin/chromium", "TRAWL_CHROME"],
    ["TRAWL_QQQQQQQQQ", "1", "trawl config"],
  ]
  for (const [variable, value, hint] of wrong) {
    test(`${variable}=${value}`, () => {
      const message = messageOf({ [variable]: value })
      expect(message).toContain(variable)
      expect(message).toContain(hint)
      expect(message).not.toContain("\n")
    })
  }

  test("a remote browser that cannot use the proxies", () => {
    const TRAWL_PROXY_URLS = "http://user:secret@proxy.test:3128"
    const cdp = "ws://chrome.test:9222/devtools"
    const message = messageOf({ TRAWL_PROXY_URLS, TRAWL_CHROME_WS: cdp })
    for (const word of ["TRAWL_CHROME_WS", "TRAWL_PROXY_URLS", "trawl browser serve"]) {
      expect(message).toContain(word)
    }
    expect(message).not.toContain("secret")
    for (const TRAWL_CHROME_WS of [
      "ws://127.0.0.1:9222/devtools",
      "ws://[::1]:9222",
      "ws://chrome.test:9223/trawl?token=0123456789abcdef0123456789abcdef",
    ]) {
      expect(messageOf({ TRAWL_PROXY_URLS, TRAWL_CHROME_WS })).toBeUndefined()
    }
    expect(messageOf({ TRAWL_CHROME_WS: cdp })).toBeUndefined()
  })

  test("a URL with a password is not repeated", () => {
    for (const variable of ["TRAWL_PROXY_URLS", "TRAWL_UNLOCKER_URL"]) {
      const message = messageOf({ [variable]: "user:secret" })
      expect(message).toContain(variable)
      expect(message).not.toContain("secret")
    }
  })
})

describe("accepted settings", () => {
  const right: Record<string, string>[] = [
    { TRAWL_TRUST_PROXY: "127.0.0.1, 10.0.0.0/8, fd00::/8, ::1" },
    { TRAWL_BASE_URL: "https://example.com/trawl/" },
    { TRAWL_BASE_URL: "http://[::1]:8080" },
    { TRAWL_PROXY_URLS: "http://user:secret@proxy.test:3128,https://proxy.test:8443" },
    { TRAWL_UPSTREAM_X: "{}", TRAWL_CONTACT: "ops@example.com", GITHUB_TOKEN: "x" },
    { TRAWL_NO_SUCH_THING: "" },
    { TRAWL_CHROME_ARGS: "--window-size=800,600 --lang=de, --disable-features=A,B" },
    // Kubernetes sets these for a Service called trawl.
    { TRAWL_SERVICE_HOST: "10.0.0.1", TRAWL_PORT_8080_TCP_ADDR: "10.0.0.1" },
  ]
  for (const env of right) {
    test(JSON.stringify(env), () => expect(messageOf(env)).toBeUndefined())
  }
})

describe("flags for Chrome", () => {
  test("are separated where the next one begins", () => {
    const env = { TRAWL_CHROME_ARGS: "--window-size=800,600 --lang=de, --user-agent=A (B; C) D" }
    const flags = ["--window-size=800,600", "--lang=de", "--user-agent=A (B; C) D"]
    expect(readSettings(env).chromeArgs).toEqual(flags)
  })

  for (const flag of [
    "--proxy-server=a:1",
    "--proxy-bypass-list=*",
    "--proxy-pac-url=http://a/",
    "--proxy-auto-detect",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * a",
    "--remote-debugging-port=1",
    "--remote-debugging-address=0.0.0.0",
    "--user-data-dir=/a",
    "--load-extension=/a",
    "--Enable-QUIC",
  ]) {
    test(`${flag} is refused by its name`, () => {
      const name = flag.split("=")[0]!
      const env = { TRAWL_CHROME_ARGS: `--lang=de ${flag}` }
      expect(() => readSettings(env)).toThrow(`TRAWL_CHROME_ARGS: ${name} cannot be used`)
    })
  }

  test("a value that is not a flag is refused", () => {
    const env = { TRAWL_CHROME_ARGS: "http://example.com/" }
    expect(() => readSettings(env)).toThrow('"http://example.com/" is not a valid flag')
  })
})

describe("the data folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-settings-"))
  const at = (cwd: string, env: Record<string, string>) => {
    const before = process.cwd()
    process.chdir(cwd)
    try {
      return readSettings(env).dataDir
    } finally {
      process.chdir(before)
    }
  }
  const state = { STATE_DIRECTORY: "/var/lib/trawl:/var/lib/other" }
  const home = { XDG_DATA_HOME: "/home/ada/.local/share" }
  const cases: [name: string, cwd: string, env: Record<string, string>, dataDir: string][] = [
    ["in the working directory", folder, {}, "./trawl-data"],
    ["also for who has a data home", folder, home, "./trawl-data"],
    ["a unit's state folder", "/", { ...state, ...home }, "/var/lib/trawl"],
    ["a data home, if there is no working directory", "/", home, "/home/ada/.local/share/trawl"],
    ["the configured folder", "/", { ...state, TRAWL_DATA_DIR: "/srv/trawl" }, "/srv/trawl"],
  ]
  for (const [name, cwd, env, dataDir] of cases) {
    test(name, () => expect(at(cwd, env)).toBe(dataDir))
  }

  test("an existing folder keeps being used", async () => {
    await Bun.write(join(folder, "trawl-data/trawl.db"), "")
    expect(at(folder, state)).toBe("./trawl-data")
    rmSync(folder, { recursive: true })
  })
})

test("the description of a list names the separator and gives an example", () => {
  const lists = Object.values(settings).filter(({ type }) => type === "array")
  expect(lists.length).toBeGreaterThan(5)
  for (const { env, description } of lists as unknown as Record<string, string>[]) {
    expect(`${env}: ${description}`).toMatch(/\b(?:comma-separated|separated by commas)\b/)
    expect(`${env}: ${description}`).toContain("for example")
  }
})
