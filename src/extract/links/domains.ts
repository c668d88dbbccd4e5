import { domainToUnicode } from "node:url"
import { getDomain } from "tldts"

export interface Host {
  /** Lower case, ASCII (punycode); an IPv6 address without brackets. */
  name: string
  isIp: boolean
  /** Null if the URL has no port, or the scheme's default. */
  port: number | null
}

const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Returns the host of a user's input: `host`, `host:port` or a URL; null if it has none. */
export function readHost(written: string): Host | null {
  const text = written.trim()
  const href = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  const name = url.hostname.replace(/^\[|\]$|\.$/g, "")
  const isIp = name.includes(":") || /^\d+(?:\.\d+){3}$/.test(name)
  if (url.username !== "" || (!isIp && !hostName.test(name))) return null
  return { name, isIp, port: url.port === "" ? null : Number(url.port) }
}

/** The registered domain, by the public suffix list: `example.co.uk` of `a.example.co.uk`. */
export function registrableDomain(host: string): string | null {
  return getDomain(host)
}

/** A name in the letters of its language; null if it is plain ASCII. */
export function unicodeDomain(name: string): string | null {
  return /(?:^|\.)xn--/i.test(name) ? domainToUnicode(name) || null : null
}
