# SPDX-License-Identifier: GPL-2.0
"""
As much of C as the rules of mutation need: tokens, where an operand begins and ends,
functions of a file in kernel style, members of structs.
"""

import bisect
import collections
import re

TOKEN = re.compile(
    r"""
    (?P<comment> /\*.*?\*/ | //[^\n]* | \\\n )
  | (?P<directive> ^[ \t]*\#(?:[^\n\\]|\\.)* )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<number> \d\w* )
  | (?P<text> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
  | (?P<mark> ->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[^\s\w] )
    """,
    re.X | re.S | re.M,
)
Token = collections.namedtuple("Token", "kind text start end")

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}
# What ends an expression on its right, and on its left.
ENDS = {",", ";", "?", ":"}
BEGINS = ENDS | {"=", "+=", "-=", "|=", "&=", "*=", "{", "}", "return", "else"}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "else", "do", "case", "typeof"}
TYPE_WORDS = {
    "const", "volatile", "unsigned", "signed", "char", "short", "int", "long", "void", "bool",
    "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "size_t", "ssize_t", "pid_t", "struct",
    "union", "enum", "static",
}  # fmt: skip

DEFINE = "#define"

Function = collections.namedtuple("Function", "name returns params file text line start")


class Code:
    """The tokens of a piece of C, without comments and directives."""

    def __init__(self, text):
        self.source = text
        # A macro is looked at as the function that it stands for.
        start = len(DEFINE) if text.startswith(DEFINE) else 0
        self.tokens = [
            Token(found.lastgroup, found.group(), found.start(), found.end())
            for found in TOKEN.finditer(text, start)
            if found.lastgroup not in ("comment", "directive")
        ]
        self.pair = {}
        stack = []
        for at, token in enumerate(self.tokens):
            if token.text in OPENING:
                stack.append(at)
            elif token.text in CLOSING and stack:
                opened = stack.pop()
                self.pair[opened] = at
                self.pair[at] = opened

    def __len__(self):
        return len(self.tokens)

    def word(self, at):
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def slice(self, first, last):
        """The source of tokens first to last, both included."""
        return self.source[self.tokens[first].start : self.tokens[last].end]

    def is_cast(self, at):
        """Whether the bracket at a token encloses a type."""
        return self.word(at) == "(" and self.word(at + 1) in TYPE_WORDS and at in self.pair

    def is_binary(self, at):
        """Whether an operator that may be both has an operand on its left."""
        before = self.tokens[at - 1]
        if before.text == ")":
            return not self.is_cast(self.pair[at - 1])
        if before.text == "]" or before.kind in ("number", "text"):
            return True
        if before.kind != "word" or before.text in KEYWORDS or before.text in TYPE_WORDS:
            return False
        # const struct cfs_rq __percpu *queues
        if before.text.startswith("__"):
            return False
        # struct rq *rq
        return self.word(at - 2) not in ("struct", "union", "enum")

    def operand_end(self, at):
        """The last token of the operand that begins at a token, prefixes included."""
        while True:
            if self.word(at) in ("~", "!", "-", "*", "&", "+", "++", "--", "sizeof"):
                at += 1
            elif self.is_cast(at):
                at = self.pair[at] + 1
            else:
                break
        if self.word(at) == "(":
            at = self.pair[at]
        while True:
            after = self.word(at + 1)
            if after in ("(", "["):
                at = self.pair[at + 1]
            elif after in ("->", "."):
                at += 2
            elif after == self.word(at + 2) == "#":
                at += 3
            else:
                return at

    def operand_start(self, at):
        """The first token of the operand that ends at a token, prefixes not included."""
        while True:
            if self.word(at) in (")", "]"):
                at = self.pair[at]
                # A call, an element, or brackets around.
                if self.tokens[at - 1].kind == "word" and self.word(at - 1) not in KEYWORDS:
                    at -= 1
                elif self.word(at - 1) in (")", "]"):
                    at -= 1
                    continue
            if self.word(at - 1) in ("->", "."):
                at -= 2
                continue
            return at

    def left(self, at, more=()):
        """The first token of the expression that ends right before a token."""
        at -= 1
        while at >= 0:
            text = self.word(at)
            if text in (")", "]"):
                at = self.pair[at]
            elif text in BEGINS or text in OPENING or text in more:
                return at + 1
            at -= 1
        return 0

    def right(self, at, more=()):
        """The last token of the expression that begins right after a token."""
        at += 1
        while at < len(self.tokens):
            text = self.word(at)
            if text in OPENING:
                at = self.pair[at]
            elif text in ENDS or text in CLOSING or text in more:
                return at - 1
            at += 1
        return len(self.tokens) - 1

    def arguments(self, opened):
        """[(first, last)] of the tokens of each argument of a call."""
        found, first = [], opened + 1
        while first < self.pair[opened]:
            last = self.right(first - 1)
            while self.word(last + 1) in ("?", ":"):
                last = self.right(last + 1)
            found.append((first, last))
            first = last + 2
        return found


def functions(file, text):
    """The functions, and macros like them, of a file in kernel style, with their place in it."""
    starts = [found.start() for found in re.finditer(r"^", text, re.M)]
    pattern = re.compile(
        r"^static (?P<returns>[^;{}()#=]*?)\b(?P<name>sched_tp_\w+)\((?P<params>[^;{}]*?)\)\n"
        r"\{\n.*?^\}\n"
        r"|^#define (?P<macro>SCHED_TP_\w+)\((?P<names>[\w, .]*)\)(?:\\\n|[^\n])*\n",
        re.M | re.S,
    )
    for found in pattern.finditer(text):
        returns = re.sub(
            r"\b(notrace|inline|__always_inline|noinline)\b", "", found["returns"] or ""
        )
        yield Function(
            found["name"] or found["macro"],
            " ".join(returns.split()),
            " ".join((found["params"] or found["names"]).split()),
            file,
            found.group(),
            bisect.bisect_right(starts, found.start()),
            found.start(),
        )


def structs(text):
    """{struct: {member: type}} of a file's definitions."""
    code = Code(text)
    found = {}
    for at in range(len(code) - 2):
        if (code.word(at), code.word(at + 2)) == ("struct", "{"):
            members(code, at + 2, code.word(at + 1), found.setdefault(code.word(at + 1), {}), found)
    return found


def members(code, opened, name, into, found):
    at = opened + 1
    while at < code.pair[opened]:
        if code.word(at) in ("struct", "union") and "{" in (code.word(at + 1), code.word(at + 2)):
            inner = at + (1 if code.word(at + 1) == "{" else 2)
            field = code.word(code.pair[inner] + 1)
            if field == ";":
                members(code, inner, name, into, found)
            else:
                own = f"{name}::{field}"
                into[field] = f"struct {own}"
                members(code, inner, own, found.setdefault(own, {}), found)
            at = code.pair[inner]
            while code.word(at) != ";":
                at += 1
            at += 1
            continue
        end = at
        while code.word(end) != ";":
            end = code.pair.get(end, end) + 1 if code.word(end) in OPENING else end + 1
        words = [token.text for token in code.tokens[at:end]]
        base = []
        for declarator in " ".join(words).split(" , "):
            found_name = re.fullmatch(r"(?:([^:[]*) )?(\w+)((?: \[.*\])?(?: : .*)?)", declarator)
            if found_name:
                base = base or [found_name[1] or ""]
                into[found_name[2]] = base[0] + found_name[3]
        at = end + 1
