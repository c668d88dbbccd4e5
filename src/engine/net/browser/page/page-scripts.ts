/**
 * Scripts that run inside pages, as source text, because minification must not change them. They
 * cannot use variables of this module.
 */

/**
 * Clicks the "reject" (otherwise "accept") button of a common consent dialog; returns true if there
 * was one.
 */
export const dismissConsent = `(() => {
  const selectors = [
    "#onetrust-reject-all-handler", "#onetrust-accept-btn-handler",
    "#CybotCookiebotDialogBodyButtonDecline", "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#didomi-notice-disagree-button", "#didomi-notice-agree-button",
    ".qc-cmp2-summary-buttons button[mode='secondary']", ".qc-cmp2-summary-buttons button[mode='primary']",
    "form[action*='consent.google'] button", "form[action*='consent.youtube'] button",
    "button[name='reject'][value='reject']", "button.reject-all[name='reject']",
    "#truste-consent-required", "#truste-consent-button",
    ".cky-btn-reject", ".cky-btn-accept", ".cmplz-deny", ".cmplz-accept",
    ".iubenda-cs-reject-btn", ".iubenda-cs-accept-btn", ".osano-cm-denyAll", ".osano-cm-accept-all",
    "a[data-cookie-refuse]", "a[data-cookie-accept-all]", ".cn-decline", ".cm-btn-success",
    "#hs-eu-decline-button", "#hs-eu-confirmation-button", "#cookiescript_reject", "#cookiescript_accept",
    "[data-testid='uc-deny-all-button']", "[data-testid='uc-accept-all-button']",
    "#tarteaucitronAllDenied2", "#axeptio_btn_dismiss", ".cc-deny", ".cc-dismiss",
  ]
  const roots = [document]
  const usercentrics = document.querySelector("#usercentrics-root, #usercentrics-cmp-ui")
  if (usercentrics && usercentrics.shadowRoot) roots.push(usercentrics.shadowRoot)
  for (const root of roots) {
    for (const selector of selectors) {
      const button = root.querySelector(selector)
      if (!button) continue
      const box = button.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      button.click()
      return true
    }
  }
  return false
})()`

/** The current page with its document type. */
const source = `[...document.childNodes].map((node) => node === document.documentElement
  ? node.outerHTML : new XMLSerializer().serializeToString(node)).join("")`

export const readSource = `(() => ${source})()`

/** Returns true after a click on a consent dialog; the page's source if there is none. */
export const dismissOrRead = `${dismissConsent} || ${source}`

/** Scrolls the page or an element by one screen; returns the scrollable height. */
export function scrollScript(element: string | undefined): string {
  return `(() => {
    const box = ${element ? `document.querySelector(${JSON.stringify(element)})` : "document.scrollingElement"}
    if (!box) return -1
    box.scrollBy(0, Math.max(box.clientHeight, 600))
    return box.scrollHeight
  })()`
}

/** Scrolls through the page down to a height within two seconds, then back to the top. */
export function showAll(height: number): string {
  return `(async () => {
    const box = document.scrollingElement
    if (!box) return
    const end = performance.now() + 2000
    const step = Math.max(box.clientHeight, 600)
    for (let top = step; top < Math.min(box.scrollHeight, ${height}) && performance.now() < end; top += step) {
      box.scrollTo({ top, behavior: "instant" })
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    box.scrollTo({ top: 0, behavior: "instant" })
  })()`
}

export interface PageRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  maxBytes: number
}

/** Makes a request inside the page; the body is returned as base64. */
export function fetchScript(request: PageRequest): string {
  return `(async () => {
    const wanted = ${JSON.stringify(request)}
    const answer = await fetch(wanted.url, {
      method: wanted.method, headers: wanted.headers, body: wanted.body, credentials: "include",
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (bytes.length > wanted.maxBytes) return { tooLarge: true }
    let text = ""
    for (let at = 0; at < bytes.length; at += 32768) {
      text += String.fromCharCode.apply(null, bytes.subarray(at, at + 32768))
    }
    return { url: answer.url, status: answer.status, headers: [...answer.headers], body: btoa(text) }
  })()`
}

export interface PageCall {
  number: number
  url: string
  method: string
  headers: [string, string][]
  body?: string
}

/** Makes the calls of an empty page; their responses are read from paused requests. */
export const callsScript = `
  const calls = new Map()
  function startCall({ number, url, headers, ...init }) {
    const referer = headers.find(([name]) => name === "referer")?.[1]
    if (referer?.startsWith(location.origin)) init.referrer = referer
    const control = new AbortController()
    calls.set(number, control)
    fetch(url, { ...init, headers, redirect: "manual", credentials: "include", signal: control.signal })
      .catch(() => {})
      .finally(() => calls.delete(number))
  }
`

export const startCall = (call: PageCall): string => `startCall(${JSON.stringify(call)})`
export const stopCall = (number: number): string => `calls.get(${number})?.abort()`
