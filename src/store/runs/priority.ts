/** Of the queued runs of one account, the lower number is taken first. */
export const priorities = { interactive: 0, api: 1, background: 2 } as const

export type Priority = keyof typeof priorities

/**
 * Of so many runs that are taken of one account, one is the oldest, whatever its priority: what has
 * waited long is not kept waiting for ever.
 */
export const oldestOneIn = 4

export function priorityName(priority: number): Priority {
  const names = Object.keys(priorities) as Priority[]
  return names.find((name) => priorities[name] === priority) ?? "background"
}
