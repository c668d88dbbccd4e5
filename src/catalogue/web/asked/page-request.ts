import { Type } from "@sinclair/typebox"
import { BadInput } from "../../kit/index.ts"

const mostHeaders = 20

/** How a caller has pages asked for. */
export const requestInputs = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
      description:
        "Headers of the request, at most 20. Others than Accept, Accept-Language, Referer and User-Agent are for runs with an API key; what tells who asks (Authorization, Cookie and the like) goes to the page's own host alone, and not by Chrome.",
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Country from which to ask, such as de, as far as the operator's proxies allow.",
    }),
  ),
}

export interface RequestAsked {
  headers?: Record<string, string> | undefined
}

/** What a connection says of itself, and what would break it. */
const ours =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|sec-.*)$/i

/** @throws BadInput naming the header */
export function checkHeaders({ headers = {} }: RequestAsked): void {
  const written = Object.entries(headers)
  if (written.length > mostHeaders) throw new BadInput(`headers: there may be ${mostHeaders}.`)
  for (const [name, value] of written) {
    const place = `headers.${name.slice(0, 60)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) throw new BadInput(`${place}: no header's name.`)
    if (ours.test(name)) throw new BadInput(`${place}: this header is the connection's own.`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new BadInput(`${place}: its value has characters that no header can hold.`)
    }
  }
}

/** What says nothing of who asks. */
const impersonal = /^(?:accept|accept-language|referer|user-agent)$/i

/** For ctx.page. */
export function headersOf({ headers }: RequestAsked) {
  if (!headers) return {}
  return { headers, personal: Object.keys(headers).some((name) => !impersonal.test(name)) }
}
