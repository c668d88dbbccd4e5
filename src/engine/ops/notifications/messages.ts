import { type Template, templated } from "./templates.ts"

/** An event as text for people. */
export interface Message {
  /** One line. */
  title: string
  text: string
  /** URL to read more. */
  link: string | null
  /** URL of an image. */
  image: string | null
  /** Whether it needs attention now. */
  isUrgent: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the data are those that the event was queued with
type Data = any
type Words = (
  data: Data,
  /** The service's public URL; empty if TRAWL_BASE_URL is not set. */
  root: string,
) => Partial<Message> & Pick<Message, "title">

const maxTitle = 150

const ends: Record<string, string> = {
  succeeded: "succeeded",
  failed: "failed",
  aborted: "was aborted",
  timed_out: "took too long",
}

const at = (root: string, path: string) => (root === "" ? null : root + path)

const runEnd: Words = (data, root) => ({
  link: at(root, `/runs/${data.runId}`),
  title: `${data.scraper} ${ends[data.status] ?? data.status}`,
  text: [
    data.error?.message,
    `${counted(data.itemCount, "item")}, ${counted(data.errorCount, "error")}, ${counted(data.creditsCharged, "credit")}. Run ${data.runId}.`,
  ]
    .filter(Boolean)
    .join("\n"),
  isUrgent: data.status === "failed" || data.status === "timed_out",
})

/** Texts by event. */
const words: Record<string, Words> = {
  "run.succeeded": runEnd,
  "run.failed": runEnd,
  "run.aborted": runEnd,
  "run.timed_out": runEnd,
  "monitor.changed": (data, root) => {
    const monitor = at(root, `/monitors/${data.scheduleId}`)
    const [first, ...others] = data.changes
    const name = data.name ?? data.scraper
    return {
      title: first?.name && others.length === 0 ? `${name}: ${first.name}` : name,
      text: [
        // A single change links to its page; of several, each has its own link.
        ...data.changes.map(({ sentence, url }: Data) =>
          url && others.length > 0 ? `${sentence}\n${url}` : sentence,
        ),
        ...(data.more > 0 ? [`And ${data.more} more.`] : []),
        ...(monitor ? [`Monitor: ${monitor}`] : []),
      ].join("\n"),
      link: first?.url ?? monitor,
      image: first?.image ?? null,
    }
  },
  "scraper.health": (data) => ({
    title: `${data.scraper}: ${data.after.state}`,
    text: data.after.reason ?? `It was ${data.before.state} before.`,
    isUrgent: data.after.state === "broken" || data.after.state === "blocked",
  }),
  "credits.low": (data) => ({
    title: data.balance > 0 ? "Credits are low" : "No credits left",
    text:
      data.balance > 0
        ? `${counted(data.balance, "credit")} left, less than ${data.below}.`
        : "Runs that cost credits do not start until you have new credits.",
    isUrgent: data.balance === 0,
  }),
  "schedule.disabled": (data) => ({
    title: `The schedule ${data.name ?? data.scheduleId} was disabled`,
    text: data.reason,
    isUrgent: true,
  }),
  "destination.failed": (data, root) => ({
    title: `Items of a run could not be delivered to ${data.name}`,
    text: `${data.error ?? "The destination refused the items."}\nRun ${data.runId}.`,
    link: at(root, `/destinations/${data.destinationId}`),
    isUrgent: true,
  }),
  "session.expired": (data, root) => ({
    title: `The session ${data.name} has expired`,
    text: `${data.reason} Runs that use it fail until you log in again or import it again.`,
    link: at(root, "/sessions"),
    isUrgent: true,
  }),
  "disk.low": (data) => ({
    title: "Low disk space",
    text: `${megabytes(data.freeBytes)} of ${megabytes(data.totalBytes)} are free on the disk of ${data.dataDir}.`,
    isUrgent: true,
  }),
  "backup.failed": (data) => ({
    title: "The backup failed",
    text: data.message,
    isUrgent: true,
  }),
  test: () => ({
    title: "Test notification of Trawl",
    text: "This channel works.",
  }),
  digest: (data, root) => {
    const messages: Message[] = data.events.map((event: Data) => messageFor(event, root))
    const more = data.count - messages.length
    return {
      title: `${data.count} notifications`,
      text: [
        ...messages.map(({ title, text }) => `• ${title}: ${text.replaceAll("\n", " ")}`),
        ...(more > 0 ? [`And ${more} more.`] : []),
      ].join("\n"),
      isUrgent: messages.some(({ isUrgent }) => isUrgent),
    }
  },
}

/**
 * Returns an event as text, by a template if there is one. It contains texts of pages: titles are
 * one line, texts are plain lines.
 */
export function messageFor(
  { type, data }: { type: string; data: Data },
  root = "",
  template: Template | null = null,
): Message {
  const usual = words[type]?.(data, root) ?? { title: type, text: JSON.stringify(data) }
  const text =
    template && type !== "test" ? templated(template, { type, data, usual, root }) : usual
  const title = oneLine(text.title)
  return {
    title: title.length > maxTitle ? `${title.slice(0, maxTitle - 1)}…` : title,
    text: (text.text ?? "").replace(unprintable, " ").trim(),
    link: URL.parse(text.link ?? "")?.href ?? null,
    image: webUrl(text.image),
    isUrgent: text.isUrgent ?? false,
  }
}

function webUrl(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? "")
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Control characters except line ends, and bidirectional control characters. */
const unprintable = /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/gu

const oneLine = (text: string) => text.replace(unprintable, " ").replace(/\s+/g, " ").trim()

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`

const megabytes = (bytes: number) =>
  bytes >= 10 * 1024 ** 3
    ? `${Math.round(bytes / 1024 ** 3)} GB`
    : `${Math.round(bytes / 1024 ** 2)} MB`
