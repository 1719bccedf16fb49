"""An editor's buffer of the document, and edits of a user."""

import re

HEAD = re.compile(r"^- \[([ x])\] (.*) \^([0-9a-hjkmnp-tv-z]{6})( !escaped)?( !conflict)?$")
WORD = re.compile(r"\b[wz]\d{7}\b")


def words(text):
    return set(WORD.findall(text))


class Buffer:
    """The lines of a document, in blocks: a todo with its note or its sides, or other lines."""

    def __init__(self, text):
        self.blocks = []
        blanks = 0
        for line in text.split("\n"):
            is_note = line.startswith("  ") and self.blocks and HEAD.match(self.blocks[-1][0])
            if not line:
                blanks += 1
                continue
            # Blank lines within a note belong to it.
            if is_note:
                self.blocks[-1] += [""] * blanks + [line]
            else:
                self.blocks += [[""]] * blanks + [[line]]
            blanks = 0
        self.blocks += [[""]] * blanks
        # Unsaved additions and deletions.
        self.typed = set()
        self.added = set()
        self.plain = set()
        self.deleted = set()

    @property
    def text(self):
        return "\n".join("\n".join(block) for block in self.blocks)

    @property
    def todo_count(self):
        return sum(1 for block in self.blocks if block[0].startswith("- ["))

    def marked(self, is_conflict=False):
        found = []
        for block in self.blocks:
            match = HEAD.match(block[0])
            if match and (match[5] is not None) == is_conflict:
                found.append(block)
        return found

    def type(self, chance, ledger, count):
        plain = self.marked()
        conflicts = self.marked(is_conflict=True)
        for _ in range(count):
            self.type_line(chance, ledger.new_word(), plain, conflicts)

    def type_line(self, chance, word, plain, conflicts):
        way = chance.random()
        if conflicts and way < 0.2:
            self.type_into_conflict(chance, chance.choice(conflicts), word)
        elif not plain or way < 0.45:
            self.add(chance, word)
        elif way < 0.75:
            self.edit(chance, chance.choice(plain), word)
        elif way < 0.9:
            chance.choice(plain).append(f"  A line of a note {word}")
        elif way < 0.95:
            self.insert(chance, [f"Not a todo {word}"])
            self.typed.add(word)
            self.plain.add(word)
            return
        else:
            block = chance.choice(plain)
            block[0] = block[0].replace("- [ ]", "- [x]", 1)
            self.edit(chance, block, word)
        self.typed.add(word)

    def add(self, chance, word):
        titles = [f"Buy {word}", f"# {word}", f"\\* {word} ^a.b", f"é {word}", f"[ ] {word}"]
        lines = [f"- [{chance.choice(' x')}] {chance.choice(titles)}"]
        if chance.random() < 0.3:
            lines += ["  note", "", "  - [ ] in the note\u2028  ", "  &#13;\f- [ ] \x85"]
        self.insert(chance, lines)
        self.added.add(word)

    def insert(self, chance, lines):
        """Anywhere between the first line and the last."""
        end = next(
            (i for i, block in enumerate(self.blocks) if block[0] == "<!-- end -->"),
            len(self.blocks))
        self.blocks.insert(chance.randint(min(1, end), end), lines)

    def edit(self, chance, block, word):
        match = HEAD.match(block[0])
        title = match[2]
        if len(title) > 300:
            block.append(f"  {word}")
            return
        title = f"{title} {word}" if chance.random() < 0.5 else f"{word} {title}"
        block[0] = f"- [{match[1]}] {title} ^{match[3]}"
        block[0] += (match[4] or "") + (match[5] or "")

    def type_into_conflict(self, chance, block, word):
        """Types into one of the texts of a conflict, or chooses one of them."""
        starts = [i for i, line in enumerate(block) if line in (
            "  <<< mine", "  === mine", "  === theirs")]
        if not starts:
            block.append(f"    {word}")
            return
        if chance.random() < 0.5:
            index = chance.choice(starts) + 1
            block[index] = f"{block[index]} {word}"
            return
        bounds = starts + [len(block) - 1]
        kept = chance.randrange(len(starts))
        before = words("\n".join(block))
        side = block[starts[kept] + 1:bounds[kept + 1]] or ["  [ ] "]
        side[0] = f"{side[0]} {word}"
        block[1:] = ["  <<< mine"] + side + ["  >>>"]
        # Words of the line itself may be replaced by those of the chosen side.
        self.deleted |= before - words("\n".join(side))

    def delete(self, chance, ledger, count):
        blocks = self.marked() + self.marked(is_conflict=True)
        for block in chance.sample(blocks, min(count, len(blocks))):
            self.deleted |= words("\n".join(block))
            self.blocks.remove(block)
        for block in [b for b in self.blocks if b[0].startswith("Not a todo")][20:]:
            self.deleted |= words(block[0])
            self.blocks.remove(block)

    def note_saved(self, ledger):
        there = words(self.text)
        ledger.saved |= self.typed & there
        ledger.added |= self.added & there
        ledger.plain |= self.plain & there
        ledger.deleted |= self.deleted
