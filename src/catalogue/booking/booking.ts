import { firstAttribute } from "../../extract/core/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  NotFound,
  RateLimited,
  readOnce,
  targetUrl,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type HotelUrl, hotelOf, nameOf } from "./hotel.ts"

const stored = ["checkin", "checkout", "group_adults", "group_children", "no_rooms"]

/** Returns the hotel URL in the input without tracking, with a fixed currency and language. */
export function hotelUrl(target: string): HotelUrl {
  const url = targetUrl(target)
  const match = /^\/hotel\/([a-z]{2})\/([^/.]+)(?:\.([a-z-]{2,5}))?\.html$/i.exec(
    url?.pathname ?? "",
  )
  if (!url || !match || !/^(?:www\.|m\.)?booking\.com$/i.test(url.hostname)) {
    throw new BadInput(
      `"${target}" is not a hotel page. Use a URL such as https://www.booking.com/hotel/gb/name.html.`,
    )
  }
  const [, country, name, language] = match
  const requested = url.searchParams
  const currency = requested.get("selected_currency")?.toUpperCase() ?? "USD"
  const query = new URLSearchParams({
    selected_currency: currency,
    lang: requested.get("lang") ?? language ?? "en-us",
  })
  for (const key of stored) {
    const value = requested.get(key)
    if (value) query.set(key, value)
  }
  return {
    country: country!.toLowerCase(),
    page: `https://www.booking.com/hotel/${country!.toLowerCase()}/${name}.html`,
    query,
    hasDates: query.has("checkin") && query.has("checkout"),
    currency,
  }
}

const hotelPath = /^\/hotel\/[a-z]{2}\/[^/]+\.html$/i

const gone = (address: HotelUrl, statusCode?: number) =>
  new NotFound("Booking.com shows another page instead of this hotel, which no longer exists.", {
    url: address.page,
    ...(statusCode === undefined ? {} : { statusCode }),
  })

/**
 * Returns a hotel from its page.
 * @throws NotFound if the site shows its home page, a search or a city instead
 */
export async function hotelPage(address: HotelUrl, ctx: Context) {
  const what = "the hotel's name"
  const read = readOnce((response) => hotelOf(response, address))
  const isKnown = (response: UpstreamResponse) =>
    nameOf(response.document) !== null && !isHollow(read(response))
  const page = ctx.page(address.page, {
    has: (response) => isElsewhere(response) || isKnown(response),
    what,
    refusal: { statuses: [403, 503], sign: isWordless },
    query: Object.fromEntries(address.query),
    headers: { "accept-language": "en-US,en;q=0.9" },
    waitFor: '[data-testid="PropertyHeaderAddressDesktop-wrapper"], h2.pp-header__title',
    timeoutMs: 45_000,
  })
  const response = await page.catch((error) => {
    const redirectPath = error instanceof Unreachable && URL.parse(error.url ?? "")?.pathname
    if (redirectPath && !hotelPath.test(redirectPath)) throw gone(address)
    if (!(error instanceof Blocked) || error.statusCode !== 403) throw error
    const message = "www.booking.com limits the rate of requests (status 403)."
    throw new RateLimited(message, null, { url: address.page, statusCode: 403 })
  })
  if (isElsewhere(response)) throw gone(address, response.status)
  if (nameOf(response.document) === null) throw response.explainMissing(what)
  const hotel = read(response)
  if (!isHollow(hotel)) return hotel
  throw new Changed("Booking.com's page has only the hotel's name.", { url: response.url })
}

/** Returns whether the response is another page of the site, by its URL or its canonical URL. */
function isElsewhere(response: UpstreamResponse): boolean {
  if (!hotelPath.test(new URL(response.url).pathname)) return true
  const canonical = firstAttribute(response.document, 'link[rel="canonical"]', "href")
  const itself = canonical && URL.parse(canonical, response.url)?.pathname
  return Boolean(itself) && !hotelPath.test(itself!) && !response.text().includes("b_hotel_id")
}

/** Recognizes pages without content. Hotel pages are large and have the hotel's ID in a script. */
function isWordless(response: UpstreamResponse): boolean {
  const text = response.text()
  return text.length < 10_000 && !text.includes("b_hotel_id")
}

const isHollow = (hotel: ReturnType<typeof hotelOf>) =>
  !hotel.address && !hotel.description && hotel.latitude === null && hotel.reviewScore === null
