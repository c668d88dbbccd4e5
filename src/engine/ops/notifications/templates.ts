/** A channel's own texts with `{placeholders}`. */
export interface Template {
  title?: string
  text?: string
}

/** Placeholders with their meanings. Those about changes are empty in other events. */
export const placeholders = {
  title: "default title",
  text: "default text",
  link: "URL with details",
  event: "the event, for example monitor.changed",
  scraper: "slug of the scraper",
  monitor: "name of the monitor or schedule",
  monitorUrl: "URL of the monitor's screen",
  name: "name of the changed entry",
  url: "URL of the changed entry",
  old: "old value",
  new: "new value",
  change: "the change as a sentence",
} as const

const placeholder = /\{([A-Za-z]+)\}/g

/** Returns the first placeholder of a text that does not exist. */
export function unknownPlaceholder(text: string): string | undefined {
  return [...text.matchAll(placeholder)]
    .map(([, name]) => name!)
    .find((name) => !Object.hasOwn(placeholders, name))
}

// biome-ignore lint/suspicious/noExplicitAny: the data are those that the event was queued with
type Data = any

interface Usual {
  title: string
  text?: string
  link?: string | null
  image?: string | null
  isUrgent?: boolean
}

interface Happening {
  type: string
  data: Data
  usual: Usual
  root: string
}

/** Maximum changes in one text. */
const maxChanges = 20

/** Returns a message with a template's texts. Several changes repeat the text once for each. */
export function templated(template: Template, { type, data, usual, root }: Happening): Usual {
  const shared = {
    title: usual.title,
    text: usual.text ?? "",
    link: usual.link ?? "",
    event: type,
    scraper: data.scraper ?? "",
    monitor: data.name ?? "",
    monitorUrl: root && data.scheduleId ? `${root}/monitors/${data.scheduleId}` : "",
  }
  const changes: Data[] = Array.isArray(data.changes) ? data.changes.slice(0, maxChanges) : []
  const each = changes.map((change) => ({
    ...shared,
    name: change.name ?? "",
    url: change.url ?? "",
    old: change.before ?? "",
    new: change.after ?? "",
    change: change.sentence ?? "",
  }))
  const all = each.length > 0 ? each : [shared]
  const { title = "{title}", text = "{text}" } = template
  // The default text contains all changes, so it is not repeated.
  const texts = text.includes("{text}") ? all.slice(0, 1) : all
  return {
    ...usual,
    title: filled(title, all[0]!),
    text: texts.map((values) => filled(text, values)).join("\n"),
  }
}

/** Replaces placeholders in one pass, so that values are not replaced again. */
function filled(text: string, values: Record<string, unknown>): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ""))
}
