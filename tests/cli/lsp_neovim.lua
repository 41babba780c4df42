-- What `tests/cli/lsp_neovim.rs` has Neovim do.
local got = {}

local function finish(message)
  if message then
    got.failed = message
  end
  local file = io.open(os.getenv("OUT"), "w")
  file:write(vim.json.encode(got))
  file:close()
  vim.cmd("qall!")
end

local function run()
  local buffer = vim.api.nvim_get_current_buf()
  local published = nil
  vim.lsp.handlers["textDocument/publishDiagnostics"] = function(_, result)
    published = result.diagnostics
  end
  local client = vim.lsp.start_client({
    name = "dtest",
    cmd = { os.getenv("TOOL"), "dtest", "lsp" },
    root_dir = vim.fn.getcwd(),
    init_options = { check = "manual", showsAnswers = true },
  })
  vim.lsp.buf_attach_client(buffer, client)

  local function diagnostics()
    vim.wait(60000, function() return published ~= nil end, 10)
    local result = published
    published = nil
    return result
  end

  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    local answer = answers and answers[client]
    assert(answer and not answer.error, method .. ": " .. vim.inspect(answer))
    return answer.result
  end

  local function at(line, character)
    return { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = character } }
  end

  got.opened = diagnostics()

  -- Break line 7, ask elsewhere, mend it.
  vim.api.nvim_buf_set_lines(buffer, 5, 6, false, { "{", "  var := ( ;" })
  got.broken = #diagnostics()
  got.while_broken = ask("textDocument/definition", at(7, 8))
  vim.api.nvim_buf_set_lines(buffer, 5, 7, false, { "{" })
  repeat
    got.mended = diagnostics()
  until #got.mended == 0

  got.hover = ask("textDocument/hover", at(6, 8))
  got.definition = ask("textDocument/definition", at(6, 8))
  got.lenses = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params(buffer) })

  -- What Dafny's server would say.
  local range = { start = { line = 4, character = 10 }, ["end"] = { line = 4, character = 15 } }
  local foreign = { range = range, message = "a postcondition could not be proved", source = "Verifier", severity = 1 }
  got.actions = ask("textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = range,
    context = { diagnostics = { foreign } },
  })
  got.execution = ask("workspace/executeCommand", got.actions[1].command)

  local rename = at(6, 8)
  rename.newName = "Double"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", rename), "utf-16")
  got.renamed = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
  vim.lsp.stop_client(client)
end

local ok, message = pcall(run)
finish(not ok and tostring(message) or nil)
