import { upstreamTable } from "../kit/index.ts"

/** Parameters that the site's page sends with its calls for lists of videos. */
export const tiktokTable = upstreamTable(
  "tiktok",
  "2026-08",
  {
    listQuery: {
      aid: "1988",
      app_language: "en",
      app_name: "tiktok_web",
      browser_language: "en-US",
      browser_name: "Mozilla",
      browser_online: "true",
      browser_platform: "Win32",
      browser_version: "5.0 (Windows)",
      channel: "tiktok_web",
      cookie_enabled: "true",
      count: "15",
      device_platform: "web_pc",
      focus_state: "true",
      from_page: "user",
      history_len: "2",
      is_fullscreen: "false",
      is_page_visible: "true",
      language: "en",
      os: "windows",
      priority_region: "",
      referer: "",
      region: "US",
      screen_height: "1080",
      screen_width: "1920",
      type: "1",
      tz_name: "UTC",
      webcast_language: "en",
    },
  },
  { open: ["listQuery"] },
)
