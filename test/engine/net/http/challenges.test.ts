import { describe, expect, test } from "bun:test"
import { blockVendor, challengeStatuses } from "../../../../src/engine/net/http/challenge/detect.ts"
import { type Answered, challenges, page } from "./challenge-pages.ts"

const vendorOf = ({ status = 200, headers, url = "https://site.test/p", html = "" }: Answered) =>
  blockVendor({ url, status, headers: new Headers(headers), html })

/** Texts of challenges by unknown vendors, each a page without a vendor's mark. */
const words: [language: string, text: string][] = [
  ["English", "Please verify that you are a human."],
  ["English", "Checking your browser. This takes a couple of seconds and happens automatically."],
  ["English", "Checking if the site connection is secure"],
  ["English", "Let's confirm you are not a robot"],
  ["English", "We have detected suspicious activity from your network."],
  ["English", "Please complete the security check to access site.test"],
  ["German", "Bitte bestätigen Sie, dass Sie ein Mensch sind."],
  ["German", "Ihr Browser wird überprüft, bevor Sie weitergeleitet werden."],
  ["French", "Veuillez vérifier que vous êtes humain."],
  ["French", "Vérification de votre navigateur en cours"],
  ["French", "Confirmez que vous n'êtes pas un robot"],
  ["Spanish", "Verifica que eres humano antes de continuar"],
  ["Spanish", "Confirma que no eres un robot"],
  ["Portuguese", "Verifique se você é humano"],
  ["Portuguese", "Confirme que você não é um robô"],
  ["Italian", "Verifica di essere umano per continuare"],
  ["Italian", "Conferma che non sei un robot"],
  ["Dutch", "Bevestig dat u een mens bent"],
  ["Polish", "Potwierdź, że jesteś człowiekiem"],
  ["Turkish", "Lütfen robot olmadığınızı doğrulayın"],
  ["Russian", "Подтвердите, что вы не робот"],
  ["Russian", "Проверка браузера перед переходом на сайт"],
  ["Chinese", "请验证您是真人"],
  ["Chinese", "请完成安全验证后继续访问"],
  ["Japanese", "あなたが人間であることを確認してください"],
  ["Korean", "로봇이 아닙니다"],
  [
    "English",
    "Performing security verification. This page is shown while the site verifies you are not a bot.",
  ],
  ["English", "Establishing a secure connection ..."],
  ["Danish", "Bekræft, at du er et menneske"],
  ["Norwegian", "Bekreft at du er et menneske"],
  ["Finnish", "Vahvista, että olet ihminen"],
  ["Hungarian", "Igazolja, hogy Ön ember"],
  ["Romanian", "Verificați dacă sunteți om"],
  ["Greek", "Επαληθεύστε ότι είστε άνθρωπος"],
  ["Thai", "ยืนยันว่าคุณเป็นมนุษย์"],
  ["Hebrew", "אמת שאתה אנושי"],
  ["Persian", "تأیید کنید که انسان هستید"],
  ["Hindi", "सत्यापित करें कि आप मानव हैं"],
]

describe("challenges of vendors", () => {
  test.each(challenges)("%s: %s", (vendor, _, answered) => {
    expect(vendorOf(answered)).toBe(vendor)
    const { status = 200 } = answered
    expect(status === 200 || challengeStatuses.has(status), `status ${status}`).toBe(true)
  })
})

describe("challenges of unknown vendors", () => {
  test.each(words)("%s: %s", (_, text) => {
    const html = page("site.test", `<div class="card"><h1>${text}</h1><i class="wheel"></i></div>`)
    expect(vendorOf({ html })).toBe("unknown")
    expect(vendorOf({ html, status: 403 })).toBe("unknown")
  })

  test.each(["Authenticating...", "Verifying your browser…", "Security Check", "Robot check"])(
    "a page without text that is titled %s",
    (title) => expect(vendorOf({ html: page(title, "<i></i>") })).toBe("unknown"),
  )

  test("an accepted request whose response never comes, also in Chrome", () => {
    expect(vendorOf({ status: 202 })).toBe("unknown")
    const html = "<html><head></head><body></body></html>"
    expect(vendorOf({ status: 202, html })).toBe("unknown")
    expect(vendorOf({ status: 202, html, headers: { server: "CloudFront" } })).toBe("AWS WAF")
    expect(vendorOf({ html })).toBeUndefined()
  })
})

const paragraphs =
  "<p>Sites ask visitors whether they are human, and people dislike it.</p>".repeat(40)
const navigation = ["About", "News", "Shop", "Help", "Contact", "Imprint"]
  .map((name) => `<a href="/${name.toLowerCase()}">${name}</a>`)
  .join(" ")

/** Pages that are not challenges, but have something in common with one. */
const others: [what: string, answered: Answered][] = [
  [
    "an article that quotes challenges",
    {
      html: page(
        "Why am I asked: verify you are human?",
        `${paragraphs}<p>Checking your browser … Our systems have detected unusual traffic … px-captcha … Press &amp; Hold</p><pre>&lt;div class="cf-turnstile"&gt;</pre>`,
      ),
    },
  ],
  [
    "a short article with its site's navigation",
    {
      html: page(
        "Captchas",
        `<nav>${navigation}</nav><p>Please verify you are human, says the page, and no one can.</p>`,
      ),
    },
  ],
  [
    "a login with Google's box",
    {
      html: page(
        "Sign in",
        '<form><input type="email" name="user"><input type="password" name="password"><div class="g-recaptcha" data-sitekey="a"></div><button>Sign in</button></form>',
      ),
    },
  ],
  [
    "a contact form with Turnstile",
    {
      html: page(
        "Contact",
        '<form><input name="name"><textarea name="message"></textarea><div class="cf-turnstile"></div><p>Confirm you are not a robot</p></form>',
      ),
    },
  ],
  [
    "a comment form with hCaptcha below the navigation",
    { html: page("A short note", `${navigation}<p>Note.</p><div class="h-captcha"></div>`) },
  ],
  [
    "a page of words for scripts",
    {
      html: `<div id="root"></div><script>window.texts={"captcha":"Please verify that you are human","wait":"Checking your browser"}</script>`,
    },
  ],
  [
    "a page behind F5",
    { html: page("Shop", paragraphs, '<script src="/TSPD/08e8?type=9"></script>') },
  ],
  [
    "a page behind DDoS-Guard",
    {
      html: page(
        "Shop",
        paragraphs,
        '<script src="https://check.ddos-guard.net/check.js"></script>',
      ),
    },
  ],
  ["an answer through Kasada", { headers: { "x-kpsdk-ct": "0a1b" }, html: '{"price":1}' }],
  [
    "a page that DataDome's server passed on",
    { headers: { server: "DataDome" }, html: page("A short page", "<p>Short.</p>") },
  ],
  [
    "a site's own refusal",
    { status: 403, html: page("Access denied", "<p>You are not authorised to see this page.</p>") },
  ],
  ["a call that asks for a login", { status: 401, html: '{"error":"unauthorized"}' }],
  ["a call that was accepted", { status: 202, html: '{"state":"queued"}' }],
  ["a precondition", { status: 412, html: '{"error":"etag does not match"}' }],
  [
    "a page that nothing is said of",
    { html: page("Please wait", "<p>Please wait while we check availability.</p>") },
  ],
]

describe("no challenges", () => {
  test.each(others)("%s", (_, answered) => {
    expect(vendorOf(answered)).toBeUndefined()
  })
})
