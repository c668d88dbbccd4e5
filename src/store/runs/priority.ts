/** Of the queued runs of one account, the lower number is taken first. */
export const priorities = { interactive: 0, api: 1, background: 2 } as const

export type Priority = keyof typeof priorities

/**
 * One of this number of runs that an account starts is the oldest, whatever its priority, so that no
 * run waits for ever.
 */
export const oldestOneIn = 4

export function priorityName(priority: number): Priority {
  const names = Object.keys(priorities) as Priority[]
  return names.find((name) => priorities[name] === priority) ?? "background"
}
