import type { Socket, TCPSocketListener } from "bun"

export interface ReceivedMail {
  from: string
  to: string[]
  /** The headers and the body, as received. */
  text: string
  auth: string | null
}

interface Session {
  rest: string
  from: string
  to: string[]
  auth: string | null
  /** Null outside of a message's body. */
  lines: string[] | null
}

/**
 * Starts a mail server that stores its messages, and rejects addresses that start with `unknown`.
 */
export class MailStandIn {
  readonly received: ReceivedMail[] = []
  /** Sent in response to each message instead of accepting it. */
  refusal: string | null = null
  private readonly listener: TCPSocketListener<Session>

  constructor() {
    this.listener = Bun.listen<Session>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => {
          socket.data = { rest: "", from: "", to: [], auth: null, lines: null }
          socket.write("220 mail.test ESMTP\r\n")
        },
        data: (socket, bytes) => this.read(socket, bytes.toString()),
      },
    })
  }

  get port(): number {
    return this.listener.port
  }

  stop(): void {
    this.listener.stop(true)
  }

  private read(socket: Socket<Session>, text: string): void {
    const { data } = socket
    const lines = (data.rest + text).split("\r\n")
    data.rest = lines.pop() ?? ""
    for (const line of lines) socket.write(this.response(data, line))
  }

  private response(session: Session, line: string): string {
    if (session.lines !== null) return this.textLine(session, line)
    const [, command = "", rest = ""] = /^(\S+) ?(.*)$/.exec(line) ?? []
    switch (command.toUpperCase()) {
      case "EHLO":
        return "250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n"
      case "AUTH":
        session.auth = Buffer.from(rest.replace(/^PLAIN /, ""), "base64").toString()
        return "235 welcome\r\n"
      case "MAIL":
        session.from = addressIn(rest)
        session.to = []
        return "250 ok\r\n"
      case "RCPT": {
        const address = addressIn(rest)
        if (address.startsWith("unknown")) return "550 no such mailbox\r\n"
        session.to.push(address)
        return "250 ok\r\n"
      }
      case "DATA":
        session.lines = []
        return "354 go on\r\n"
      case "QUIT":
        return "221 bye\r\n"
      default:
        return "502 unknown\r\n"
    }
  }

  private textLine(session: Session, line: string): string {
    if (line !== ".") {
      session.lines!.push(line.replace(/^\.\./, "."))
      return ""
    }
    const text = session.lines!.join("\n")
    session.lines = null
    if (this.refusal !== null) return `${this.refusal}\r\n`
    const { from, to, auth } = session
    this.received.push({ from, to, text, auth })
    return "250 taken\r\n"
  }
}

const addressIn = (text: string) => /<([^>]*)>/.exec(text)?.[1] ?? ""
