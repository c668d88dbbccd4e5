import { startThread, type Thread } from "../../../base/thread.ts"
import { type Config, ConfigError } from "../../../config.ts"
import { threadUrl } from "../../../thread-url.ts"
import type { Mail, MailResponse, MailServer, MailThread } from "./mail-thread.ts"

/** A thread without mail to send is ended after this time, and its memory with it. */
const idleMs = 30_000

const ports = { "smtp:": 587, "smtps:": 465 } as const

/** Of an address as smtps://user:password@mail.example.com. @throws ConfigError */
export function mailServerOf(address: string): MailServer {
  const url = URL.parse(address)
  const scheme = url?.protocol as keyof typeof ports | undefined
  if (!url?.hostname || !scheme || !(scheme in ports)) {
    throw new ConfigError(
      "TRAWL_SMTP_URL is not the URL of a mail server; give it as smtp://user:password@host:587 or smtps://user:password@host:465.",
    )
  }
  const tls = url.searchParams.get("tls")
  if (tls !== null && tls !== "never") {
    throw new ConfigError('TRAWL_SMTP_URL: "tls" may be never, or be left out.')
  }
  const hasPassword = url.password !== ""
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || ports[scheme],
    isSecure: scheme === "smtps:",
    // A password is only sent over TLS.
    needsTls: hasPassword && tls !== "never",
    ...(url.username !== "" && { user: decodeURIComponent(url.username) }),
    ...(hasPassword && { password: decodeURIComponent(url.password) }),
  }
}

/** One mail; its id is the same at each try. */
interface Message extends Pick<Mail, "to" | "subject" | "text"> {
  id: string
}

/** Mail by the operator's server; what sends it is loaded into a thread when there is some. */
export class Mailer {
  private thread?: Thread<MailThread> | undefined
  private running = 0
  private ending?: ReturnType<typeof setTimeout>

  constructor(private readonly config: Pick<Config, "smtpUrl" | "smtpFrom">) {}

  /** Whether mail can be sent: what is not set, else nothing. */
  get notServed(): string | undefined {
    if (this.config.smtpUrl === undefined) return "TRAWL_SMTP_URL"
    return this.config.smtpFrom === undefined ? "TRAWL_SMTP_FROM" : undefined
  }

  async send({ id, ...mail }: Message, signal: AbortSignal): Promise<MailResponse> {
    const { notServed } = this
    if (notServed)
      return { status: null, error: `There is no mail server: ${notServed} is not set.` }
    const server = mailServerOf(this.config.smtpUrl!)
    clearTimeout(this.ending)
    this.running++
    try {
      this.thread ??= this.start()
      const from = this.config.smtpFrom!
      const domain = /@([^\s>]+)/.exec(from)?.[1] ?? server.host
      // Absences are not to be answered, and loops not to be made.
      const headers = { "auto-submitted": "auto-generated" }
      const sent = this.thread.calls.send(server, {
        ...mail,
        from,
        messageId: `<${id}@${domain}>`,
        headers,
      })
      return await Promise.race([sent, aborted(signal)])
    } finally {
      if (--this.running === 0) this.endWhenIdle()
    }
  }

  stop(): void {
    clearTimeout(this.ending)
    this.thread?.end()
    this.thread = undefined
  }

  private start(): Thread<MailThread> {
    const thread = startThread<MailThread>(threadUrl("engine/ops/notifications/mail-thread.ts"), {
      onFailure: () => {
        if (this.thread === thread) this.thread = undefined
      },
    })
    return thread
  }

  private endWhenIdle(): void {
    this.ending = setTimeout(() => this.stop(), idleMs)
    this.ending.unref()
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
