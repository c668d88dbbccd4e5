import PostalMime from "postal-mime"
import { isoDate, parseDocument } from "../core/index.ts"
import {
  escaped,
  factsOf,
  paragraphs,
  type ReadDocument,
  unreadable,
} from "./pages/document-page.ts"

interface Party {
  name?: string
  address?: string
}

/** Headers of which every message has one. */
const ofMessages =
  /^(?:from|to|cc|bcc|sender|reply-to|return-path|subject|date|received|message-id|mime-version|content-[a-z-]{2,40}|delivered-to)$/

/** Reads a message: its sender, recipients and time, its text, and the names of its attachments. */
export async function readMail(bytes: Uint8Array): Promise<ReadDocument> {
  const mail = await PostalMime.parse(inUtf8(bytes), {
    maxNestingDepth: 50,
    maxHeadersSize: 2 * 1024 * 1024,
  }).catch(() => {
    throw unreadable("The message cannot be read: its headers or parts are malformed.")
  })
  const isBlank = bytes.every((byte) => byte <= 0x20)
  if (!isBlank && !mail.headers.some(({ key }) => ofMessages.test(key)))
    throw unreadable("The document is not an email: it has no headers.")
  const lines: [name: string, value: string][] = [
    ["From", parties(mail.from ? [mail.from as Party] : [])],
    ["To", parties(mail.to as Party[] | undefined)],
    ["Cc", parties(mail.cc as Party[] | undefined)],
    ["Date", mail.date ?? ""],
  ]
  const head = lines
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<li><b>${name}:</b> ${escaped(value)}</li>`)
  const attached = mail.attachments
    .map(({ filename, mimeType }) => filename ?? mimeType)
    .map((name) => `<li>${escaped(name)}</li>`)
  const html = [
    `<h1>${escaped(mail.subject ?? "")}</h1>`,
    head.length > 0 ? `<ul>${head.join("")}</ul>` : "",
    mail.html ? bodyOf(mail.html) : paragraphs(mail.text ?? ""),
    attached.length > 0 ? `<h2>Attachments</h2><ul>${attached.join("")}</ul>` : "",
  ]
  return {
    metadata: {
      title: mail.subject,
      author: mail.from?.name || mail.from?.address,
      publishedAt: isoDate(mail.date ?? null),
    },
    parts: [html.join("\n")],
    facts: factsOf(isCut(bytes, mail.headers)),
  }
}

/**
 * Returns a UTF-16 message as UTF-8. Messages are ASCII, so zeros between the letters mean UTF-16.
 */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second, , fourth] = bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const isWide = (first === 0) !== (second === 0)
  if (bytes.length < 4 || !(isMarked || isWide)) return bytes
  const isLittle = isMarked ? first === 0xff : second === 0 && fourth === 0
  const text = new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes)
  return new TextEncoder().encode(text.replace(/\bcharset="?utf-16(?:le|be)?"?/gi, "charset=utf-8"))
}

/**
 * Returns whether a message is truncated: its last boundary is missing, or its base64 does not end
 * with a whole group of four.
 */
function isCut(bytes: Uint8Array, headers: { key: string; value: string }[]): boolean {
  const header = (name: string) => headers.findLast(({ key }) => key === name)?.value ?? ""
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [, quoted, plain] =
    /^multipart\/.{0,500}?\bboundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/is.exec(
      header("content-type"),
    ) ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) return !all.includes(`\n--${boundary}--`)
  if (!/^\s*base64\s*$/i.test(header("content-transfer-encoding"))) return false
  const start = /\r?\n\r?\n/.exec(all.toString("latin1"))
  const body = start ? all.toString("latin1", start.index) : ""
  return body.replace(/[^A-Za-z0-9+/=]+/g, "").length % 4 !== 0
}

const parties = (list: Party[] | undefined) =>
  (list ?? [])
    .map(({ name, address: url }) => (name && url ? `${name} <${url}>` : (url ?? name ?? "")))
    .join(", ")

function bodyOf(html: string): string {
  const { body } = parseDocument(html)
  for (const element of [...body.querySelectorAll("script, style")]) element.remove()
  return body.innerHTML
}
