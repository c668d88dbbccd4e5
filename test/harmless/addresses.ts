import { type Attribute, tagText, withAttributes, withScripts, withTags } from "./tags.ts"

/** Changes to how URLs and scripts are written. */

const isAddress = (key: string) => /^(?:href|src|action)$/i.test(key)

/**
 * Returns the page with changed URLs in its links and images; a base would change the meaning of
 * others.
 */
const withAddresses = (html: string, change: (address: string) => string) =>
  /<base\b/i.test(html)
    ? html
    : withAttributes(html, (list, { name, attributes }) => {
        // Canonical URLs are absolute.
        if (name === "link" && attributes.some(([, value]) => value === "canonical")) return list
        return list.map(
          ([key, value]): Attribute =>
            isAddress(key) && value !== null ? [key, change(value)] : [key, value],
        )
      })

const isScript = (attributes: string) =>
  !/type=["']?(?!text\/javascript|module|application\/json)/i.test(attributes)

export const addresses = {
  "addresses without a host": (html: string, { origin }: URL) =>
    withAddresses(html, (address) =>
      address.startsWith(`${origin}/`) && !address.startsWith(`${origin}//`)
        ? address.slice(origin.length)
        : address,
    ),
  "addresses with a host": (html: string, { origin }: URL) =>
    withAddresses(html, (address) => (/^\/(?!\/)/.test(address) ? origin + address : address)),
  "addresses without a scheme": (html: string, { protocol }: URL) =>
    withAddresses(html, (address) =>
      /:\/\/[^/]/.test(address) && address.startsWith(`${protocol}//`)
        ? address.slice(protocol.length)
        : address,
    ),
  "nonces of scripts": (html: string) =>
    withTags(html, ({ name, attributes, text }) =>
      name === "script"
        ? tagText(name, [["nonce", "x1y2z3"], ...attributes, ["data-cfasync", "false"]])
        : text,
    ),
  "types of scripts": (html: string) =>
    withTags(html, ({ name, attributes, text }) =>
      name === "script" && !attributes.some(([key]) => key === "type")
        ? tagText(name, [["type", "text/javascript"], ...attributes])
        : text,
    ),
  "slashes of addresses in scripts escaped": (html: string) =>
    withScripts(html, isScript, (content) =>
      content.replace(/(?<=")https?:\/\/[^"\s\\<>]*(?=")/g, (address) =>
        address.replaceAll("/", "\\/"),
      ),
    ),
  "names instead of properties": (html: string) =>
    withAttributes(html, (list, { name }) =>
      name === "meta"
        ? list.map(([key, value]): Attribute => [key === "property" ? "name" : key, value])
        : list,
    ),
  "properties instead of names": (html: string) =>
    withAttributes(html, (list, { name }) =>
      name === "meta" && list.some(([, value]) => /^(?:twitter|og):/.test(value ?? ""))
        ? list.map(([key, value]): Attribute => [key === "name" ? "property" : key, value])
        : list,
    ),
} as const
