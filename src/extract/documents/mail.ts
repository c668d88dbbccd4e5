import PostalMime from "postal-mime"
import { isoDate, parseDocument } from "../core/index.ts"
import { escaped, paragraphs, plainFacts, type ReadDocument, unreadable } from "./document-page.ts"

interface Party {
  name?: string
  address?: string
}

/** A message: who wrote when to whom, its text, and the names of what is attached. */
export async function readMail(bytes: Uint8Array): Promise<ReadDocument> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: 50,
    maxHeadersSize: 2 * 1024 * 1024,
  }).catch((error) => {
    throw unreadable(`The message cannot be read (${(error as Error).message}).`)
  })
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
    facts: plainFacts,
  }
}

const parties = (list: Party[] | undefined) =>
  (list ?? [])
    .map(({ name, address }) =>
      name && address ? `${name} <${address}>` : (address ?? name ?? ""),
    )
    .join(", ")

function bodyOf(html: string): string {
  const { body } = parseDocument(html)
  for (const element of [...body.querySelectorAll("script, style")]) element.remove()
  return body.innerHTML
}
