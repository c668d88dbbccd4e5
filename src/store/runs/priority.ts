/** Priorities of queued runs within an account; lower numbers start first. */
export const priorities = { interactive: 0, api: 1, background: 2 } as const

export type Priority = keyof typeof priorities

/**
 * Every fourth run that starts for an account is its oldest, whatever its priority, so that no run
 * waits forever.
 */
export const oldestOneIn = 4

export function priorityName(priority: number): Priority {
  const names = Object.keys(priorities) as Priority[]
  return names.find((name) => priorities[name] === priority) ?? "background"
}
