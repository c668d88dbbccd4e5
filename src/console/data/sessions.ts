import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"
import { base } from "./shell.ts"

/** A log-in at a site, with which runs fetch its pages. */
export interface Session {
  id: string
  name: string
  hosts: string[]
  status: "active" | "expired"
  reason: string | null
  signedIn: boolean
  login: { steps: object[]; secrets: string[] } | null
  expiresAt: string | null
  lastUsedAt: string | null
  createdAt: string
}

export interface NewSession {
  name: string
  hosts?: string[]
  import?: string
  login?: { steps: object[]; secrets: Record<string, string> }
}

/** An account has at most 100 sessions. */
export const sessionsPath = "/api/v1/sessions?limit=1000"
export const sessions = (signal?: AbortSignal) => requestJson<Part<Session>>(sessionsPath, signal)
/** Creates a session, or replaces the cookies or the recipe of the one with this name. */
export const makeSession = ({ name, ...session }: NewSession) =>
  sendChange<Session>(`/api/v1/sessions/${name}`, session, "PUT")
export const changeSession = (id: string, change: Partial<NewSession>) =>
  sendChange<Session>(`/api/v1/sessions/${id}`, change, "PATCH")
export const logInAgain = (id: string) => sendChange<Session>(`/api/v1/sessions/${id}/login`)
export const deleteSession = (id: string) => remove(`/api/v1/sessions/${id}`)

/** The usual log-in as a recipe: two fields, a button, and a part of the page after it. */
export interface LoginForm {
  url: string
  user: string
  userSelector: string
  password: string
  passwordSelector: string
  /** Selector of the button; empty to press Enter. */
  button: string
  /** Selector of a part of the page that only signed-in users see. */
  after: string
}

export function loginOf(form: LoginForm): NonNullable<NewSession["login"]> {
  const press = form.button
    ? { type: "click", selector: form.button }
    : { type: "press", key: "Enter" }
  return {
    steps: [
      { type: "goto", url: form.url },
      { type: "fill", selector: form.userSelector, text: form.user },
      { type: "fill", selector: form.passwordSelector, secret: "password" },
      press,
      form.after ? { type: "wait", selector: form.after } : { type: "wait", milliseconds: 3000 },
    ],
    secrets: { password: form.password },
  }
}

/** A screenshot of the page in which a person logs in. */
export interface Picture {
  jpeg: string
  url: string
  title: string
  width: number
  height: number
}

export type PageInput =
  | { type: "move" | "down" | "up"; x: number; y: number; button?: "left" | "middle" | "right" }
  | { type: "wheel"; x: number; y: number; dx: number; dy: number }
  | { type: "key"; key: string; modifiers?: number }
  | { type: "text"; text: string }
  | { type: "back" | "reload" }

const livePath = "/api/v1/live-logins"
export const startLogin = (url: string) =>
  sendChange<{ id: string; expiresAt: string }>(livePath, { url })
const sendInput = (id: string, events: PageInput[]) =>
  sendChange<void>(`${livePath}/${id}/input`, { events })
export const saveLogin = (id: string, name: string) =>
  sendChange<Session>(`${livePath}/${id}/save`, { name })

/** Closes the page, even if the tab is closed at this moment. */
export function closeLogin(id: string): void {
  void fetch(`${base}${livePath}/${id}`, { method: "DELETE", keepalive: true }).catch(() => {})
}

/** Milliseconds without a connection after which the server has closed the page. */
const lostMs = 30_000

export interface LoginWatcher {
  onScreenshot(picture: Picture): void
  /** The connection is lost, or there again. */
  onConnection(isLost: boolean): void
  onClosed(reason: string): void
}

/** Calls back with each picture of the page; returns a function that stops. */
export function watchLogin(
  id: string,
  { onScreenshot, onConnection, onClosed }: LoginWatcher,
): () => void {
  const source = new EventSource(`${base}${livePath}/${id}/pictures`)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    source.close()
  }
  const end = (reason: string) => {
    stop()
    onClosed(reason)
  }
  source.onopen = () => {
    clearTimeout(timer)
    timer = undefined
    onConnection(false)
  }
  source.addEventListener("picture", ({ data }) => onScreenshot(JSON.parse(data)))
  source.addEventListener("closed", ({ data }) => {
    end(JSON.parse(data).reason ?? "The page was closed. Open it again.")
  })
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) {
      return end("The page is no longer open on the server. Open it again.")
    }
    onConnection(true)
    timer ??= setTimeout(
      () => end("The server did not respond for 30 seconds. Open the page again."),
      lostMs,
    )
  }
  return stop
}

/** Milliseconds between two requests, because the calls of an account are limited per minute. */
const pauseMs = 150

/**
 * Sends a person's input in order, one request at a time. Moves between two requests are combined.
 */
export class InputQueue {
  private waiting: PageInput[] = []
  private isSending = false

  constructor(
    private readonly id: string,
    private readonly onIssue: (error: Error) => void,
  ) {}

  add(event: PageInput): void {
    if (event.type === "move" && this.waiting.at(-1)?.type === "move") this.waiting.pop()
    this.waiting.push(event)
    if (!this.isSending) void this.send()
  }

  private async send(): Promise<void> {
    this.isSending = true
    try {
      while (this.waiting.length > 0) {
        // Waits, because only the last position of the pointer matters.
        if (this.waiting.every(({ type }) => type === "move")) await this.pause()
        await sendInput(this.id, this.waiting.splice(0, 100))
        await this.pause()
      }
    } catch (error) {
      this.waiting = []
      this.onIssue(error as Error)
    }
    this.isSending = false
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
