import { createTransport } from "nodemailer"
import { serve } from "../../../base/rpc.ts"

export interface MailServer {
  host: string
  port: number
  /** TLS from the start; otherwise STARTTLS. */
  isSecure: boolean
  /** Whether email is not sent without TLS. */
  needsTls: boolean
  user?: string
  password?: string
}

export interface Mail {
  from: string
  to: string[]
  subject: string
  text: string
  /** The same at each attempt, so that a mailbox shows the email once. */
  messageId: string
  headers: Record<string, string>
}

/** The server's response: its code, and the reason if it refused the email. */
export interface MailResponse {
  status: number | null
  error: string | null
}

export interface MailThread {
  send(server: MailServer, mail: Mail): Promise<MailResponse>
}

declare const self: Worker

const connectMs = 10_000
const silenceMs = 15_000

serve<MailThread>(self, {
  async send(server, mail) {
    const { host, port, isSecure, needsTls, user, password } = server
    const transport = createTransport({
      host,
      port,
      secure: isSecure,
      requireTLS: needsTls && !isSecure,
      ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
      dnsTimeout: connectMs,
      // Messages are plain text: nothing is fetched or read from disk.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      const { response } = await transport.sendMail(mail)
      return { status: Number.parseInt(response, 10) || null, error: null }
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message: string }
      return { status: responseCode ?? null, error: message }
    } finally {
      transport.close()
    }
  },
})
