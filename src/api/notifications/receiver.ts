import { ScrapeError } from "../../catalogue/kit/index.ts"
import { EgressFilter } from "../../engine/net/egress/filter.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import type { Service } from "../service.ts"

/** Checks the URL of a receiver. A host that resolves to a private IP address is refused at each delivery. @throws 400 */
export function checkReceiver({ config }: Pick<Service, "config">, text: string): void {
  const refuse = (message: string) =>
    invalid([{ ...issue("url", message, "an http or https URL"), actual: text }], "body")
  if (!URL.canParse(text))
    throw refuse(`"${text}" is not a URL; write for example https://hooks.example.com/path.`)
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") {
    throw refuse(`The URL must begin with https:// or http://, not ${protocol}//.`)
  }
  if (username !== "" || password !== "")
    throw refuse("The URL must not contain a password. Remove user:password@ from it.")
  try {
    const number = Number(port || (protocol === "https:" ? 443 : 80))
    const egress = new EgressFilter(config.egressAllow)
    egress.checkLiteral(hostname.replace(/^\[|\]$/g, ""), number)
  } catch (error) {
    if (error instanceof ScrapeError) throw refuse(error.message)
    throw error
  }
}

/** Whether a member's channels may send email to this address (TRAWL_SMTP_TO). */
export function mayBeWrittenTo(address: string, allowed: readonly string[]): boolean {
  const requested = address.toLowerCase()
  return allowed.some((entry) => {
    const rule = entry.toLowerCase()
    return rule === "*" || rule === requested || (rule.startsWith("@") && requested.endsWith(rule))
  })
}
