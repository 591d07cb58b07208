// relay: OpenCode's sessions in the room. `relay setup` writes this file; `relay setup --undo` removes it.
import { spawn } from "node:child_process"

const WRITING = new Set(["edit", "write", "patch", "apply_patch"])
const SHELL = "bash"
const MILLISECONDS = 10_000

// What `relay hook` answers; an empty object where it fails, for OpenCode must go on without it.
function ask(event, directory, said) {
  return new Promise((answer) => {
    const child = spawn("relay", ["hook", event, "--client", "opencode"], {
      cwd: directory,
      stdio: ["pipe", "pipe", "ignore"],
      timeout: MILLISECONDS,
    })
    let out = ""
    child.on("error", () => answer({}))
    child.on("close", () => {
      try {
        answer(JSON.parse(out))
      } catch {
        answer({})
      }
    })
    child.stdout.on("data", (part) => (out += part))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ cwd: directory, ...said }))
  })
}

export const Relay = async ({ directory }) => {
  const parents = new Map() // of a subagent's session, which acts for the session that began it
  const news = new Map() // what a session's model is to be told in this turn
  const own = (session) => parents.get(session) ?? session

  async function hear(event, session, said = {}) {
    const answer = await ask(event, directory, { session_id: session, ...said })
    const text = answer.hookSpecificOutput?.additionalContext
    if (text) news.set(session, [...(news.get(session) ?? []), text])
  }

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      const session = info?.id ?? event.properties?.sessionID
      if (event.type === "session.created" && info?.parentID) parents.set(session, own(info.parentID))
      if (parents.has(session)) return
      if (event.type === "session.created") await hear("session-start", session)
      if (event.type === "session.deleted") await ask("session-end", directory, { session_id: session })
      if (event.type === "session.idle") {
        news.delete(session)
        // A plugin cannot make a session go on, so relay must not count on that.
        await ask("stop", directory, { session_id: session, stop_hook_active: true })
      }
    },

    "chat.message": async ({ sessionID }) => {
      if (!parents.has(sessionID)) await hear("prompt", sessionID)
    },

    "experimental.chat.messages.transform": async (_, { messages }) => {
      const place = messages.findLastIndex((one) => one.info.role === "user")
      const last = messages[place]
      const text = last?.parts.find((part) => part.type === "text")
      const told = last && news.get(last.info.sessionID)?.join("\n\n")
      if (!text || !told || last.parts.some((part) => part.text === told)) return
      messages[place] = { ...last, parts: [...last.parts, { ...text, text: told, synthetic: true }] }
    },

    // So that `relay` in a shell of the session's knows who acts.
    "shell.env": async ({ sessionID }, { env }) => {
      if (sessionID) env.RELAY_SESSION ??= process.env.RELAY_SESSION ?? own(sessionID)
    },

    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (!WRITING.has(tool)) return
      const said = { session_id: own(sessionID), tool_name: tool, tool_input: args }
      const answer = (await ask("guard", directory, said)).hookSpecificOutput
      if (answer?.permissionDecision === "deny") throw new Error(answer.permissionDecisionReason)
    },

    // What a shell changed has met no guard.
    "tool.execute.after": async ({ tool, sessionID }) => {
      if (tool === SHELL || WRITING.has(tool)) await hear("check", own(sessionID), { tool_name: tool })
    },
  }
}
