import { messageOf } from "../../../base/error-message.ts"
import type { Config } from "../../../config/config.ts"
import { version } from "../../../config/version.ts"
import { type TheirKind, theirKinds } from "../../../store/automation/webhooks.ts"
import type { SecretBox } from "../../../store/upkeep/secret-box.ts"
import type { Transport, WireRequest } from "../../net/http/exchange.ts"
import { type Filling, fill, filledBody } from "./fill.ts"
import { type Destination, type Format, formatOf } from "./formats.ts"
import { Mailer } from "./mailer.ts"
import { messageFor } from "./messages.ts"
import { type PushMessage, pushRequest } from "./push.ts"
import { signatureHeaders } from "./signature.ts"
import type { Template } from "./templates.ts"
import { type TheirSecret, theirBody, theirHeaders } from "./theirs.ts"

const timeoutMs = 20_000
/** Maximum characters of a receiver's error response in a message. */
const maxVisibleResponse = 200

/** A message to a channel, and the channel as it is stored. */
export interface Delivery {
  id: string
  payload: string
  webhook_id: string
  kind: string
  url: string
  secret: string
  previous_secret: string | null
  previous_until: string | null
  /** Template as JSON. */
  template: string | null
}

export interface Answered {
  /** HTTP or SMTP status; null if there was no response. */
  status: number | null
  headers: Headers
  /** Error message; null on success. */
  error: string | null
  /** Whether the receiver no longer exists. */
  isGone?: boolean
}

const noHeaders = new Headers()

export interface DispatcherParts {
  config: Pick<Config, "smtpUrl" | "smtpFrom" | "baseUrl">
  secrets: SecretBox
  /** Filtered transport: receivers in private networks are refused. */
  transport: Transport
}

/** Sends one message to its receiver in the format of its channel. */
export class WebhookDispatcher {
  readonly mailer: Mailer
  private readonly secrets: SecretBox
  private readonly transport: Transport

  /** The service's public URL, for links; empty if TRAWL_BASE_URL is not set. */
  private readonly root: string
  /** Contact of the operator for push services. */
  private readonly contact: string

  constructor({ config, secrets, transport }: DispatcherParts) {
    this.root = config.baseUrl?.replace(/\/+$/, "") ?? ""
    this.contact = contactOf(config)
    this.mailer = new Mailer(config)
    this.secrets = secrets
    this.transport = transport
  }

  /** Makes one attempt; errors are in the result. */
  async carry(reported: Delivery, at: Date, stopped: AbortSignal): Promise<Answered> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped])
    const theirs = theirKinds.find((kind) => kind === reported.kind)
    if (theirs)
      return this.theirs(theirs, reported, signal).catch((error) => failed(messageOf(error)))
    const format = formatOf(reported.kind)
    if (!format) return failed(`This version of Trawl has no channel kind "${reported.kind}".`)
    let destination: Destination = {}
    try {
      if (format.fetchMethod === "signed") return await this.signed(reported, at, signal)
      destination = JSON.parse(this.secrets.open(reported.secret, reported.webhook_id))
      const { id, payload } = reported
      const filling = {
        id,
        payload,
        destination,
        message: messageFor(JSON.parse(payload), this.root, templateOf(reported)),
      }
      const response =
        format.fetchMethod === "mail"
          ? await this.mail(format, filling, signal)
          : format.fetchMethod === "push"
            ? await this.push(format, filling, at, signal)
            : await this.request(format, filling, signal)
      return { ...response, error: response.error && masked(response.error, destination) }
    } catch (error) {
      return failed(masked(messageOf(error), destination))
    }
  }

  private async signed(reported: Delivery, at: Date, signal: AbortSignal): Promise<Answered> {
    const { id, url, payload } = reported
    const headers = signatureHeaders({ id, payload, at, secrets: this.secretsOf(reported, at) })
    return this.send({ method: "POST", url, headers, body: payload }, signal)
  }

  /** Sends the event in the format of another service. */
  private async theirs(
    kind: TheirKind,
    reported: Delivery,
    signal: AbortSignal,
  ): Promise<Answered> {
    const { id, url, payload } = reported
    const secret: TheirSecret = JSON.parse(this.secrets.open(reported.secret, reported.webhook_id))
    const body = theirBody(kind, payload)
    const headers = { ...theirHeaders(kind, secret, body), "webhook-id": id }
    return this.send({ method: "POST", url, headers, body }, signal)
  }

  private async request(format: Format, filling: Filling, signal: AbortSignal): Promise<Answered> {
    const { body, ...request } = fill(format, filling)
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return this.send({ ...request, body: text }, signal)
  }

  /**
   * Push services respond with 404 or 410 for a browser that unsubscribed (RFC 8030, section 7.3).
   */
  private async push(
    format: Format,
    filling: Filling,
    at: Date,
    signal: AbortSignal,
  ): Promise<Answered> {
    const { url, keys, pushKey } = filling.destination
    const message = filledBody(format, filling) as PushMessage
    const { isUrgent } = filling.message
    const options = { privateKey: pushKey!, contact: this.contact, isUrgent, at }
    const response = await this.send(
      pushRequest({ url: url!, keys: keys! }, message, options),
      signal,
    )
    return { ...response, isGone: response.status === 404 || response.status === 410 }
  }

  private async send(
    request: Pick<WireRequest, "method" | "url" | "body" | "bodyBytes"> & {
      headers: Record<string, string>
    },
    signal: AbortSignal,
  ): Promise<Answered> {
    const headers = new Headers({
      "content-type": "application/json",
      "user-agent": `Trawl-Webhooks/${version}`,
      ...request.headers,
    })
    const limits = { maxBytes: 64 * 1024, truncate: true, timeoutMs, signal }
    const {
      status,
      headers: reported,
      bytes,
    } = await this.transport.send({
      ...request,
      headers,
      ...limits,
    })
    // Only 2xx is success; redirects are not followed.
    const error = status >= 200 && status < 300 ? null : refusal(status, bytes)
    return { status, headers: reported, error }
  }

  private async mail(format: Format, filling: Filling, signal: AbortSignal): Promise<Answered> {
    const { subject, text } = filledBody(format, filling) as { subject: string; text: string }
    const { id, destination } = filling
    const mail = { id, to: destination.to ?? [], subject, text: `${text}\n` }
    return { headers: noHeaders, ...(await this.mailer.send(mail, signal)) }
  }

  /** @throws KeyLost */
  private secretsOf(reported: Delivery, at: Date): string[] {
    const { webhook_id, secret, previous_secret, previous_until } = reported
    const both =
      previous_secret !== null &&
      previous_until! > at.toISOString() &&
      // A lost secret may be the reason for the replacement.
      this.secrets.opens(previous_secret)
    return (both ? [secret, previous_secret] : [secret]).map((encrypted) =>
      this.secrets.open(encrypted, webhook_id),
    )
  }
}

const templateOf = ({ template }: Delivery): Template | null =>
  template === null ? null : JSON.parse(template)

/**
 * Returns the public URL if it has TLS, otherwise the email sender: push services accept only
 * these.
 */
function contactOf({ baseUrl, smtpFrom }: DispatcherParts["config"]): string {
  if (baseUrl?.startsWith("https://")) return baseUrl
  const [address] = smtpFrom?.match(/[^\s<>]+@[^\s<>]+/) ?? []
  return `mailto:${address ?? "trawl@example.com"}`
}

const failed = (error: string): Answered => ({ status: null, headers: noHeaders, error })

/** Returns the error of a response; many receivers explain it in the body. */
function refusal(status: number, bytes: Uint8Array): string {
  const words = new TextDecoder().decode(bytes.subarray(0, 4 * maxVisibleResponse))
  const visible = words
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxVisibleResponse)
  const isMarkup = visible.startsWith("<")
  return `The receiver responded with ${status}${visible === "" || isMarkup ? "." : `: ${visible}`}`
}

/** Removes the secrets of the receiver: its token, and its URL except for the host. */
function masked(text: string, { url, token }: Destination): string {
  const { pathname = "", search = "" } = (url && URL.parse(url)) || {}
  const secrets = [token ?? "", `${pathname}${search}`, pathname.replace(/^\//, "")]
  return secrets.reduce(
    (rest, secret) => (secret.length < 4 ? rest : rest.replaceAll(secret, "…")),
    text,
  )
}
