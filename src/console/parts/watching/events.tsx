import { type EventName, eventWords, ownerEventWords } from "../../data/notifications.ts"
import { isOwner } from "../../data/shell.ts"

/** The events that a channel receives, as checkboxes named `event`. */
export function Events({ chosen }: { chosen?: readonly EventName[] }) {
  const offered = [...eventWords, ...(isOwner ? ownerEventWords : [])]
  return (
    <fieldset class="plain">
      <legend>Notify when</legend>
      <div class="choices">
        {offered.map(([name, words, isUsual]) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              name="event"
              value={name}
              defaultChecked={chosen ? chosen.includes(name) : isUsual}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export const eventsOf = (form: FormData) => form.getAll("event") as EventName[]
