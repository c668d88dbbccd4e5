/** A screenshot of a page, for a person who uses it. */
export interface Picture {
  /** JPEG. */
  bytes: Uint8Array
  url: string
  title: string
  /** Size of the window in pixels. */
  width: number
  height: number
}

/** A person's input to a page; coordinates are in pixels of its window. */
export type InputEvent =
  | { type: "move" | "down" | "up"; x: number; y: number; button?: MouseButton }
  | { type: "wheel"; x: number; y: number; dx: number; dy: number }
  | {
      type: "key"
      key: string /** Bit field as in CDP: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
      modifiers?: number
    }
  | { type: "text"; text: string }
  | { type: "back" | "reload" }

type MouseButton = "left" | "middle" | "right" | "none"
