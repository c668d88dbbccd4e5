/** Words of a channel's own, with `{placeholders}`. */
export interface Template {
  title?: string
  text?: string
}

/** Each placeholder with its meaning. Those of changes are empty in other events. */
export const placeholders = {
  title: "the usual title",
  text: "the usual text",
  link: "URL to read more",
  event: "the event, for example monitor.changed",
  scraper: "slug of the scraper",
  monitor: "name of the monitor or schedule",
  monitorUrl: "URL of the monitor's screen",
  name: "name of the thing that changed",
  url: "URL of the thing that changed",
  old: "its old value",
  new: "its new value",
  change: "the change in words",
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

/** Changes that one text lists. */
const maxChanges = 20

/** Returns a message in a template's words. Several changes give the text once for each. */
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
  // The usual text has all changes: it is not repeated for each.
  const texts = text.includes("{text}") ? all.slice(0, 1) : all
  return {
    ...usual,
    title: filled(title, all[0]!),
    text: texts.map((values) => filled(text, values)).join("\n"),
  }
}

/** In one go: the values are not filled in again. */
function filled(text: string, values: Record<string, unknown>): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ""))
}
