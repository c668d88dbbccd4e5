import { BadInput, type Context, targetUrl } from "../kit/index.ts"

/** Visitor settings sent to AliExpress; prices and stock depend on them. */
export const region = { country: "US", currency: "USD" }
export const regionCookies = {
  aep_usuc_f: `site=glo&c_tp=${region.currency}&region=${region.country}&b_locale=en_US`,
}

export const aliexpressUrl = (productId: string) =>
  `https://www.aliexpress.com/item/${productId}.html`

const inUrl = /(?:\/(?:item|i)\/(?:[^/]+\/)?|\/product\/)(\d{8,20})(?:\.html|[/?#]|$)/

/** Returns the product ID; short links are followed to their destination. */
export async function productNumber(target: string, ctx: Context): Promise<string> {
  const text = target.trim()
  if (/^\d{8,20}$/.test(text)) return text
  let url = targetUrl(target)
  for (let hop = 0; url && hop < 4; hop++) {
    if (!/(?:^|\.)aliexpress\.[a-z.]+$/i.test(url.hostname)) break
    if (/\.aliexpress\.ru$|^aliexpress\.ru$/i.test(url.hostname)) {
      throw new BadInput(
        `"${target}" is on aliexpress.ru, which is a different site and is not supported.`,
      )
    }
    const number = inUrl.exec(`${url.pathname}?`)?.[1]
    if (number) return number
    if (!/^(?:a|s\.click)\./i.test(url.hostname)) break
    const response = await ctx.get(url.href, { redirect: "manual", identity: "browser" })
    const location = response.headers.get("location")
    url = location ? URL.parse(location, url.href) : null
  }
  throw new BadInput(`"${target}" is not an AliExpress product URL or product ID.`)
}
