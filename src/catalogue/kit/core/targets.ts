/**
 * Returns a URL with its percent-encoding decoded; other texts as they are.
 * @example decodedPath("caf%C3%A9") // "café"
 */
export function decodedPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the URL in a target, which may lack the scheme; null if it is not a URL.
 * @example targetUrl(" shop.example/p/1 ")?.pathname // "/p/1"
 */
export function targetUrl(target: string): URL | null {
  const text = target.trim()
  return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
}
