import { useEffect, useRef, useState } from "preact/hooks"
import {
  closeLogin,
  InputQueue,
  type Picture,
  saveLogin,
  startLogin,
  watchLogin,
} from "../../data/sessions.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"

interface LiveLoginProps {
  name: string
  onSaved(): void
}

/** Logs in once on a page of the server's Chrome, which is displayed here. */
export function LiveLogin({ name, onSaved }: LiveLoginProps) {
  const [url, setUrl] = useState("")
  const [id, setId] = useState<string>()
  const [closed, setClosed] = useState("")
  const { busy, issue, run } = useTask()
  const open = (event: Event) => {
    event.preventDefault()
    setClosed("")
    void run(async () => setId((await startLogin(url.trim())).id))
  }
  const leave = () => {
    if (id) closeLogin(id)
    setId(undefined)
  }
  if (!id) {
    return (
      <form onSubmit={open}>
        <div class="field">
          <label for="live-url">Sign-in page of the site</label>
          <input
            id="live-url"
            class="code"
            type="url"
            required
            placeholder="https://shop.example/login"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <p class="help">
            The page opens in the server's Chrome and is displayed here. Trawl stores the site's
            cookies and local storage, but not your input.
          </p>
        </div>
        {closed && <p class="notice">{closed}</p>}
        <ErrorMessage>{issue}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main" disabled={busy}>
            Open the page
          </button>
        </div>
      </form>
    )
  }
  return (
    <>
      <LivePage
        id={id}
        onClosed={(reason) => {
          setId(undefined)
          setClosed(reason)
        }}
      />
      <ErrorMessage>{issue}</ErrorMessage>
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={busy || !name}
          onClick={() =>
            run(async () => {
              await saveLogin(id, name)
              setId(undefined)
              onSaved()
            })
          }
        >
          Save the session
        </button>
        <button type="button" disabled={busy} onClick={leave}>
          Close the page
        </button>
        {!name && <span class="muted">Give the session a name first.</span>}
      </div>
    </>
  )
}

/** The page, with the user's input sent to it. */
function LivePage({ id, onClosed }: { id: string; onClosed(reason: string): void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [screenshot, setScreenshot] = useState<Picture>()
  const [lost, setLost] = useState(false)
  const [issue, setIssue] = useState("")
  const [text, setText] = useState("")
  const [queue] = useState(() => new InputQueue(id, ({ message }) => setIssue(message)))
  useEffect(() => {
    const stop = watchLogin(id, {
      onScreenshot: setScreenshot,
      onConnection: setLost,
      onClosed,
    })
    const leave = () => closeLogin(id)
    addEventListener("pagehide", leave)
    return () => {
      stop()
      removeEventListener("pagehide", leave)
    }
  }, [id])
  useEffect(() => {
    if (screenshot && canvas.current) void draw(canvas.current, screenshot)
  }, [screenshot])
  const type = (event: Event) => {
    event.preventDefault()
    if (text) queue.add({ type: "text", text })
    setText("")
  }
  return (
    <>
      <div class="live-bar">
        <button type="button" class="quiet" onClick={() => queue.add({ type: "back" })}>
          Back
        </button>
        <button type="button" class="quiet" onClick={() => queue.add({ type: "reload" })}>
          Reload
        </button>
        <code class="live-url">{screenshot?.url ?? "Loading …"}</code>
      </div>
      <canvas
        ref={canvas}
        class="live-page"
        tabIndex={0}
        aria-label={`The page ${screenshot?.title ?? ""}. Click and type in it as in a browser.`}
        {...handlers(queue, canvas, screenshot)}
      />
      <form onSubmit={type} class="fields-in-row">
        <div class="field grow">
          <label for="live-text">
            Text for the field that has the focus in the page{" "}
            <span class="muted">for phones and screen readers</span>
          </label>
          <input
            id="live-text"
            type="password"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <button type="submit">Type</button>
        <button type="button" onClick={() => queue.add({ type: "key", key: "Tab" })}>
          Next field
        </button>
        <button type="button" onClick={() => queue.add({ type: "key", key: "Enter" })}>
          Enter
        </button>
      </form>
      <ErrorMessage>
        {lost ? "The connection to the server is lost. Trying again …" : issue}
      </ErrorMessage>
    </>
  )
}

/**
 * Draws the screenshot instead of using an image element, because the console's policy only allows
 * images of its own server.
 */
async function draw(canvas: HTMLCanvasElement, { jpeg }: Picture): Promise<void> {
  const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }))
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext("2d")?.drawImage(image, 0, 0)
}

const buttons = ["left", "middle", "right"] as const

function handlers(
  queue: InputQueue,
  canvas: { current: HTMLCanvasElement | null },
  screenshot: Picture | undefined,
) {
  const position = ({ clientX, clientY }: MouseEvent) => {
    const { left, top, width, height } = canvas.current!.getBoundingClientRect()
    const part = (at: number, size: number) => Math.max(0, Math.min(size, at))
    return {
      x: Math.round(part(((clientX - left) / width) * (screenshot?.width ?? width), 9_999)),
      y: Math.round(part(((clientY - top) / height) * (screenshot?.height ?? height), 9_999)),
    }
  }
  const pressed = (type: "down" | "up") => (event: MouseEvent) => {
    event.preventDefault()
    canvas.current?.focus({ preventScroll: true })
    queue.add({ type, ...position(event), button: buttons[event.button] ?? "left" })
  }
  return {
    onMouseDown: pressed("down"),
    onMouseUp: pressed("up"),
    onMouseMove: (event: MouseEvent) => queue.add({ type: "move", ...position(event) }),
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onWheel: (event: WheelEvent) => {
      event.preventDefault()
      queue.add({ type: "wheel", ...position(event), dx: event.deltaX, dy: event.deltaY })
    },
    onPaste: (event: ClipboardEvent) => {
      event.preventDefault()
      const pasted = event.clipboardData?.getData("text").slice(0, 2000)
      if (pasted) queue.add({ type: "text", text: pasted })
    },
    onKeyDown: (event: KeyboardEvent) => {
      // Escape leaves the page, for keyboard users; pasted text arrives as a separate event.
      if (event.key === "Escape") return canvas.current?.blur()
      const isPaste = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v"
      if (isPaste || event.isComposing || modifiers.has(event.key)) return
      event.preventDefault()
      queue.add(keyOf(event))
    },
  }
}

const modifiers = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead"])

function keyOf(event: KeyboardEvent) {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  const isText = key.length === 1 && !ctrlKey && !metaKey
  if (isText) return { type: "text" as const, text: key }
  const held = (altKey ? 1 : 0) + (ctrlKey ? 2 : 0) + (metaKey ? 4 : 0) + (shiftKey ? 8 : 0)
  return { type: "key" as const, key, ...(held > 0 && { modifiers: held }) }
}
