import { startThread, type Thread } from "../../../base/thread.ts"
import { threadUrl } from "../../../base/thread-url.ts"
import { type Config, ConfigError } from "../../../config/config.ts"
import type { Mail, MailResponse, MailServer, MailThread } from "./mail-thread.ts"

/** Milliseconds without email after which the thread is ended to free its memory. */
const idleMs = 30_000

const ports = { "smtp:": 587, "smtps:": 465 } as const

/** Parses a URL such as smtps://user:password@mail.example.com. @throws ConfigError */
export function mailServerOf(address: string): MailServer {
  const url = URL.parse(address)
  const scheme = url?.protocol as keyof typeof ports | undefined
  if (!url?.hostname || !scheme || !(scheme in ports)) {
    throw new ConfigError(
      "TRAWL_SMTP_URL is not the URL of a mail server. Use smtp://user:password@host:587 or smtps://user:password@host:465.",
    )
  }
  const tls = url.searchParams.get("tls")
  if (tls !== null && tls !== "never") {
    throw new ConfigError('TRAWL_SMTP_URL: the parameter "tls" must be "never" or missing.')
  }
  const hasPassword = url.password !== ""
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || ports[scheme],
    isSecure: scheme === "smtps:",
    // Passwords are sent over TLS only.
    needsTls: hasPassword && tls !== "never",
    ...(url.username !== "" && { user: decodeURIComponent(url.username) }),
    ...(hasPassword && { password: decodeURIComponent(url.password) }),
  }
}

/** An email; its ID is the same at each attempt. */
interface Message extends Pick<Mail, "to" | "subject" | "text"> {
  id: string
}

/** Sends email by the operator's server, in a thread that is started on demand. */
export class Mailer {
  private thread?: Thread<MailThread> | undefined
  private running = 0
  private ending?: ReturnType<typeof setTimeout>

  constructor(private readonly config: Pick<Config, "smtpUrl" | "smtpFrom">) {}

  /** Returns the name of the missing setting; undefined if email can be sent. */
  get notServed(): string | undefined {
    if (this.config.smtpUrl === undefined) return "TRAWL_SMTP_URL"
    return this.config.smtpFrom === undefined ? "TRAWL_SMTP_FROM" : undefined
  }

  async send({ id, ...mail }: Message, signal: AbortSignal): Promise<MailResponse> {
    const { notServed } = this
    if (notServed) return { status: null, error: `No mail server is set: ${notServed} is missing.` }
    const server = mailServerOf(this.config.smtpUrl!)
    clearTimeout(this.ending)
    this.running++
    try {
      this.thread ??= this.start()
      const from = this.config.smtpFrom!
      const domain = /@([^\s>]+)/.exec(from)?.[1] ?? server.host
      // Prevents automatic replies and mail loops.
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
