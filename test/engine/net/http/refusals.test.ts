import { describe, expect, test } from "bun:test"
import { blockVendor, challenge } from "../../../../src/engine/net/http/challenge/detect.ts"
import { page } from "./challenge-pages.ts"

const judged = (html: string, path = "/thing", requested = "/thing", status = 200) => {
  const root = "https://www.site.test"
  const suspect = {
    url: root + path,
    requestedUrl: root + requested,
    status,
    headers: new Headers(),
    html,
  }
  return (challenge(suspect, "the thing") as { code?: string } | null)?.code ?? null
}
const form =
  '<form><input type="email" name="user"><input type="password" name="word"><button>Go</button></form>'
const links = Array.from(
  { length: 60 },
  (_, n) => `<li><a href="/c/${n}">Category number ${n} of all</a></li>`,
).join("")
const text = `<p>${"A sentence that people read on this page. ".repeat(80)}</p>`

describe("a sign-in page instead of the requested page", () => {
  test.each([
    ["by its title", page("Sign in", form), "/thing", "/thing", "login_required"],
    [
      "by its title next to the site's name",
      page("Anmelden | Site", form),
      "/thing",
      "/thing",
      "login_required",
    ],
    [
      "by its heading",
      page("Site", `<h1>ログイン</h1>${form}`),
      "/thing",
      "/thing",
      "login_required",
    ],
    [
      "by the address to which it led",
      page("Site", `<h1>Welcome</h1>${form}`),
      "/login",
      "/thing",
      "login_required",
    ],
    ["asked for itself", page("Sign in", form), "/login", "/login", null],
    [
      "as a form on a page that says something",
      page("The thing", text + form),
      "/thing",
      "/thing",
      null,
    ],
    [
      "as a title without a form",
      page("Sign in", "<p>How to sign in: open the app.</p>"),
      "/thing",
      "/thing",
      null,
    ],
  ] as [string, string, string, string, string | null][])(
    "%s",
    (_, html, path, requested, code) => {
      expect(judged(html, path, requested)).toBe(code)
    },
  )
})

describe("a page for other countries", () => {
  test.each([
    ["in English", "<p>This content is not available in your country.</p>", "geo_blocked"],
    ["in German", "<p>Dieser Inhalt ist in Ihrem Land nicht verfügbar.</p>", "geo_blocked"],
    ["in Chinese", "<p>您所在的地区无法观看</p>", "geo_blocked"],
    ["quoted in an article", `${text}<p>It was not available in your country.</p>`, null],
  ] as [string, string, string | null][])("%s", (_, body, code) => {
    expect(judged(page("Site", body))).toBe(code)
  })
  test("by its status", () => expect(judged("", "/thing", "/thing", 451)).toBe("geo_blocked"))
})

describe("a soft block", () => {
  const captcha = '<div class="g-recaptcha" data-sitekey="k"></div>'
  const suspect = (html: string) => ({
    url: "https://site.test/",
    status: 200,
    headers: new Headers(),
    html,
  })

  test("is recognised by its captcha and its text, whatever links are around", () => {
    const protection = `<ul>${links}</ul><h1>Are you a human?</h1><form>${captcha}<button>Go on</button></form>`
    expect(blockVendor(suspect(page("Shop", protection)))).toBe("reCAPTCHA")
  })

  test("a page whose captcha protects a form is not a soft block", () => {
    const comment = `<ul>${links}</ul><form><textarea name="text"></textarea>Please verify that you are human ${captcha}</form>`
    expect(blockVendor(suspect(page("Shop", comment)))).toBeUndefined()
  })
})
