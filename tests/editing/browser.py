"""The keys of a person at the workbench, for tests in Chromium."""

from __future__ import annotations

from playwright.sync_api import Page


def replace(page: Page, old: str, new: str) -> None:
    """Selects some words in the editor and types others in their place, key by key."""
    page.evaluate(
        """([old]) => {
          const root = document.querySelector(".editor:not([hidden]) .cm-content");
          const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
          for (const line of root.querySelectorAll(".cm-line")) {
            const at = line.textContent.indexOf(old);
            if (at < 0) continue;
            const range = document.createRange();
            const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            let from = at, to = at + old.length, set = false;
            while (nodes.nextNode()) {
              const node = nodes.currentNode, size = node.length;
              if (!set && from <= size) { range.setStart(node, from); set = true; }
              if (to <= size) { range.setEnd(node, to); break; }
              from -= size; to -= size;
            }
            root.focus();
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            return;
          }
          throw new Error("no such words");
        }""",
        [old],
    )
    page.wait_for_timeout(50)
    page.keyboard.type(new)
