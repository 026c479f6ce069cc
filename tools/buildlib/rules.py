# SPDX-License-Identifier: GPL-2.0
"""
The rules by which getters are broken: each finds, in the text of a function, what a
person might have got wrong there, and says what would then stand in its place.
"""

import collections
import re

from .csource import KEYWORDS, TYPE_WORDS, Code

# In the function's text, from start to end, text instead.
Mutation = collections.namedtuple("Mutation", "start end text rule")

# One of these for the other.
SWAPPED = {
    "<": ("<=", ">"), "<=": ("<", ">"), ">": (">=", "<"), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "<<": (">>",), ">>": ("<<",), "+=": ("-=",), "-=": ("+=",),
}  # fmt: skip
# The same, where they have an operand on each side.
SWAPPED_BINARY = {"+": "-", "-": "+", "*": "/", "/": "*", "&": "|", "|": "&", "%": "/"}
DROPPED = {"+", "-", "*", "/", "%", "&", "|", "<<", ">>"}
OTHER_NAME = {
    "min": "max", "max": "min", "min_t": "max_t", "max_t": "min_t",
    "UCLAMP_MIN": "UCLAMP_MAX", "UCLAMP_MAX": "UCLAMP_MIN",
}  # fmt: skip
# Functions of a value that give about the same value: each argument might stand alone.
WRAPPERS = {
    "min", "max", "min_t", "max_t", "clamp", "clamp_t", "cap_scale", "scale_load",
    "scale_load_down", "div_u64", "div64_u64", "div64_ul", "mul_u64_u32_shr", "abs",
}  # fmt: skip
SYMMETRIC = {"min", "max", "min_t", "max_t", "cap_scale"}
CPU_CALLS = {"sched_tp_cpu_of", "task_cpu"}
INTEGERS = {"int", "unsigned int", "long", "unsigned long", "u64", "unsigned long long", "size_t"}
NARROW = {
    "unsigned long": "unsigned int", "unsigned long long": "unsigned int", "u64": "unsigned int",
    "long": "int", "long long": "int", "s64": "int", "unsigned int": "unsigned short",
    "u32": "unsigned short",
}  # fmt: skip


class Rules:
    """
    The mutations of a function. What @shapes has are the members of the structs, of each
    shape, and what @calls has the types that functions return.
    """

    def __init__(self, shapes, calls):
        self.shapes = shapes
        self.calls = calls

    def of(self, function):
        """The mutations of a function, each change of the text once."""
        self.function = function
        self.code = Code(function.text)
        self.found = {}
        self.variables = self.declared(function)
        opened = next(at for at in range(len(self.code)) if self.code.word(at) == "(")
        for at in range(self.code.pair[opened] + 1, len(self.code)):
            self.conditions(at)
            self.results(at)
            self.operators(at)
            self.unary(at)
            self.names(at)
            self.members(at)
            self.calls_at(at)
            self.assignments(at)
        return sorted(self.found.values())

    def declared(self, function):
        """{name: type} of parameters and locals."""
        found = {}
        for param in function.params.split(","):
            match = re.fullmatch(r"(.*?)(\w+)(?:\[\w*\])?", param.strip())
            if match:
                found[match[2]] = plain_type(match[1])
        pattern = r"^\t+((?:(?:const|unsigned|struct|signed|long|static)\s+)*\w+)\s+(\**[^;(]*?(?:=[^;]*)?);"
        for line in re.findall(pattern, function.text, re.M):
            if line[0].split()[0] in KEYWORDS:
                continue
            for name in re.findall(r"(?:^|,)\s*(\**\w+)(?=\s*(?:,|=|$|\[))", line[1]):
                stars = " " + "*" * name.count("*") if "*" in name else ""
                found[name.lstrip("*")] = plain_type(line[0] + stars)
        return found

    def add(self, first, last, text, rule):
        start, end = self.code.tokens[first].start, self.code.tokens[last].end
        if self.function.text[start:end] == text:
            return
        self.found.setdefault((start, end, text), Mutation(start, end, text, rule))

    # --- the rules ---

    def conditions(self, at):
        code = self.code
        if code.word(at) in ("if", "while") and code.word(at + 1) == "(":
            opened = at + 1
            what = code.slice(opened + 1, code.pair[opened] - 1)
            tested = what.lstrip("!")
            rule = "NULL test dropped" if tested in self.variables else "branch dropped"
            self.add(opened + 1, code.pair[opened] - 1, "0", rule)
            # A loop that never ends is noticed by anybody.
            if code.word(at) == "if":
                self.add(opened + 1, code.pair[opened] - 1, "1", "branch always taken")
        elif code.word(at) == "?":
            first = code.left(at)
            self.add(first, at - 1, "1", "branch always taken")
            self.add(first, at - 1, "0", "branch dropped")

    def results(self, at):
        code, returns = self.code, self.function.returns
        if code.word(at) != "return" or code.word(at + 1) == ";":
            return
        end = at
        while code.word(end + 1) != ";":
            end = code.pair.get(end + 1, end + 1)
        value = code.slice(at + 1, end)
        first = at + 1
        if returns.endswith("*"):
            if value == "NULL":
                self.add(first, end, "(void *)-1L", "wrong result")
            else:
                self.add(first, end, "NULL", "always NULL")
                self.add(first, end, f"(void *)((char *)({value}) + 1)", "off by one")
        elif returns.endswith(("bool", "SCHED_TP_BOOL")):
            for result in ("true", "false"):
                if result != value:
                    self.add(first, end, result, f"always {result}")
            if value not in ("true", "false", "0", "1"):
                self.add(first, end, f"!({value})", "negated")
        elif re.fullmatch(r"-?\d+\w*", value):
            for result in ("0", "1", "-1", "2") if code.word(at - 1) == "{" else ("0", "1", "-1"):
                if result != value:
                    self.add(first, end, result, "wrong result")
        else:
            self.add(first, end, "0", "always 0")
            self.add(first, end, "1", "always 1")
            self.add(first, end, f"({value}) + 1", "off by one")
            self.add(first, end, f"-({value})", "negated")
            narrow = NARROW.get(plain_type(returns))
            read = r"(\(\w[\w ]*\))?(READ_ONCE\()?\w+(->|\.)[\w>.\[\]-]+\)?"
            inline = "__always_inline" in self.function.text
            if narrow and not inline and re.fullmatch(read, value):
                self.add(first, end, f"({narrow})({value})", "truncated")
        self.writes(at, end)

    def writes(self, at, end):
        """Besides what it returns, it writes to its object."""
        if self.function.returns == "void" or self.is_null_result(at):
            return
        value = self.code.slice(at + 1, end)
        for name, of in self.variables.items():
            declared = rf"\bconst struct \w+ \*{name}\b"
            if of.endswith("*") and re.search(declared, self.function.params):
                text = (
                    f"{{ {self.function.returns} was = {value}; "
                    f"++*(volatile unsigned char *)({name}); return was; }}"
                )
                self.add(at, end + 1, text, "writes")

    def is_null_result(self, at):
        """Whether a return is what `if (!object)` guards."""
        code = self.code
        if code.word(at - 1) != ")":
            return False
        opened = code.pair[at - 1]
        return code.word(opened - 1) == "if" and code.word(opened + 1) == "!"

    def operators(self, at):
        code, text = self.code, self.code.word(at)
        if text in SWAPPED:
            for other in SWAPPED[text]:
                self.add(at, at, other, "operator swapped")
        if text in ("&&", "||"):
            more = ("&&", "||")
            self.add(at, code.right(at, more), "", "condition dropped")
            self.add(code.left(at, more), at, "", "condition dropped")
            return
        if text not in DROPPED or not code.is_binary(at) or text in ("*", "&") and self.declares(at):
            return
        if text in SWAPPED_BINARY:
            self.add(at, at, SWAPPED_BINARY[text], "operator swapped")
        self.add(at, code.operand_end(at + 1), "", "operand dropped")
        self.add(code.operand_start(at - 1), at, "", "operand dropped")

    def declares(self, at):
        return self.code.word(at - 1) in TYPE_WORDS or self.code.word(at - 2) == "struct"

    def unary(self, at):
        code = self.code
        if code.word(at) in ("!", "~") and not code.is_binary(at):
            self.add(at, at, "", "negation dropped")
            if code.word(at) == code.word(at + 1) == "!":
                self.add(at, at + 1, "", "not made 0 or 1")
        elif code.word(at) == "-" and not code.is_binary(at) and code.word(at - 1) != "return":
            self.add(at, at, "", "sign dropped")
        elif code.is_cast(at) and code.word(code.pair[at] - 1) != "*":
            if code.word(at - 1) != "sizeof":
                self.add(at, code.pair[at], "", "cast dropped")
        elif code.word(at) == "[" and code.tokens[at - 1].kind in ("word", "mark"):
            inside = code.slice(at + 1, code.pair[at] - 1)
            if not re.search(rf"\[{re.escape(inside)}\];", code.source[: code.tokens[at].end + 40]):
                self.add(at + 1, code.pair[at] - 1, "0", "wrong element")
                self.add(at + 1, code.pair[at] - 1, f"({inside}) + 1", "wrong element")

    def names(self, at):
        code, token = self.code, self.code.tokens[at]
        # A part of a name.
        if "#" in (code.word(at - 1), code.word(at + 1)):
            return
        if token.text == "break":
            self.add(at, at, "", "break dropped")
        elif token.text in OTHER_NAME:
            self.add(at, at, OTHER_NAME[token.text], "the other one")
        elif re.fullmatch(r"[A-Z][A-Z0-9_]{2,}", token.text) and code.word(at + 1) != "(":
            if token.text != "NULL" and code.word(at - 1) not in ("->", ".", "["):
                self.add(at, at, f"({token.text} + 1)", "wrong constant")
                self.add(at, at, f"({token.text} >> 1)", "wrong constant")
        elif token.kind == "number" and code.word(at - 2) == "while":
            return
        elif token.kind == "number" and code.word(at - 1) not in ("return", "[", "case", "-"):
            self.add(at, at, f"({token.text} + 1)", "wrong constant")
        if token.text == "cpu" in self.variables and code.word(at - 1) in ("(", ",") and code.word(at + 1) in (")", ","):
            if code.word(at - 2) not in KEYWORDS:
                self.other_cpu(at, at)

    def other_cpu(self, first, last):
        value = self.code.slice(first, last)
        self.add(first, last, "0", "wrong CPU")
        self.add(first, last, f"({value} ^ 1)", "wrong CPU")
        # Right for the ones that everybody tries.
        self.add(first, last, f"({value} ? 2 : 0)", "wrong CPU")

    def type_of(self, first, last, structs):
        """The type of an operand, or None if that is not seen."""
        code, at = self.code, first
        while code.is_cast(at) or code.word(at) in ("&", "*"):
            at = code.pair[at] + 1 if code.is_cast(at) else at + 1
        if code.word(at) == "(":
            if code.is_cast(at + 1) and code.pair[code.pair[at + 1]] == at + 1:
                of = plain_type(code.slice(at + 2, code.pair[at + 1] - 1))
            else:
                of = self.type_of(at + 1, code.pair[at] - 1, structs)
            at = code.pair[at] + 1
        elif code.word(at + 1) == "(":
            name = code.word(at)
            if name in ("READ_ONCE", "rcu_dereference_raw", "rcu_dereference"):
                of = self.type_of(at + 2, code.pair[at + 1] - 1, structs)
            else:
                of = self.calls.get(name)
            at = code.pair[at + 1] + 1
        else:
            of = self.variables.get(code.word(at))
            at += 1
        while of and at <= last:
            if code.word(at) == "[":
                of = of.split(" [")[0] if "[" in of else of.removesuffix(" *")
                at = code.pair[at] + 1
                continue
            if code.word(at) not in ("->", "."):
                return of
            owner = re.match(r"struct ([\w:]+)", of)
            of = structs.get(owner[1] if owner else "", {}).get(code.word(at + 1))
            of = plain_type(of) if of else None
            at += 2
        return of

    def any_type_of(self, first, last):
        """The same in the first shape that knows."""
        types = (self.type_of(first, last, structs) for structs in self.shapes)
        return next((of for of in types if of), None)

    def members(self, at):
        """The members of the same struct, of the same type, that are nearest."""
        code = self.code
        if code.word(at) not in ("->", "."):
            return
        first, name = code.operand_start(at - 1), code.word(at + 1)
        distance = {}
        for structs in self.shapes:
            of = self.type_of(first, at - 1, structs)
            owner = re.match(r"struct ([\w:]+)", of) if of else None
            members = structs.get(owner[1], {}) if owner else {}
            if name not in members:
                owners = [has for has in structs.values() if name in has]
                members = owners[0] if len(owners) == 1 and not of else {}
            for other, how_far in nearest(members, name).items():
                distance[other] = min(how_far, distance.get(other, how_far))
        for other in sorted(distance, key=lambda name: (distance[name], name))[:2]:
            self.add(at + 1, at + 1, other, "wrong field")

    def calls_at(self, at):
        code, name = self.code, self.code.word(at)
        if code.tokens[at].kind != "word" or code.word(at + 1) != "(" or name in KEYWORDS:
            return
        opened = at + 1
        arguments = code.arguments(opened)
        if name in WRAPPERS:
            for first, last in arguments[name.endswith("_t"):]:
                self.add(at, code.pair[opened], f"({code.slice(first, last)})", f"{name}() dropped")
        if name in CPU_CALLS:
            self.other_cpu(at, code.pair[opened])
        if name.startswith("sched_tp_seam_"):
            if self.calls.get(name, "").endswith("*"):
                self.add(at, code.pair[opened], "NULL", "machine ignored")
            else:
                self.add(at, code.pair[opened], "0", "machine ignored")
                self.add(at, code.pair[opened], "1024", "machine ignored")
        if len(arguments) == 2 and name not in SYMMETRIC and name.islower():
            (a, b), (c, d) = arguments
            one, other = self.any_type_of(a, b), self.any_type_of(c, d)
            if one and (one == other or {one, other} <= INTEGERS):
                self.add(a, d, f"{code.slice(c, d)}, {code.slice(a, b)}", "arguments swapped")
        if code.word(at - 1) in (";", "{", "}") and code.word(code.pair[opened] + 1) == ";":
            self.add(at, code.pair[opened], "(void)0", "statement dropped")

        self.in_a_row(at, code.pair[opened])
        for first, last in arguments:
            word = code.word(first)
            if first == last and word != "cpu" and self.variables.get(word) in INTEGERS:
                self.add(first, last, "0", "wrong argument")
                self.add(first, last, f"({word} + 1)", "wrong argument")

    def in_a_row(self, at, closed):
        """Statements of the same call, one after another: an argument is the other's."""
        code = self.code
        if code.word(closed + 1) != ";" or code.word(closed + 2) != code.word(at):
            return
        if code.word(closed + 3) != "(" or code.word(at - 1) not in (";", "{", "}"):
            return
        own, others = code.arguments(at + 1), code.arguments(closed + 3)
        for mine, other in zip(own, others):
            self.add(*mine, code.slice(*other), "the next one's argument")

    def assignments(self, at):
        code = self.code
        if code.word(at) not in ("=", "+=", "-=", "|=", "&="):
            return
        end = code.right(at)
        while code.word(end + 1) in ("?", ":"):
            end = code.right(end + 1)
        value = code.slice(at + 1, end)
        of = self.any_type_of(code.operand_start(at - 1), at - 1)
        if of and of.startswith("struct") and not of.endswith("*"):
            return
        if value not in ("0", "NULL"):
            self.add(at + 1, end, "NULL" if of and of.endswith("*") else "0", "value dropped")
        if not of or not of.endswith("*"):
            # One off a function's address is not C; what it calls is up to chance.
            if not value.isdigit() and not re.fullmatch(r"sched_tp_[\w#]+", value):
                self.add(at + 1, end, f"({value}) + 1", "off by one")


def plain_type(text):
    """A type without qualifiers, as `struct rq *`."""
    words = re.sub(r"\b(const|volatile|static|notrace|inline)\b|__\w+", " ", text)
    return " ".join(words.replace("*", " * ").split())


def nearest(members, name):
    """{member: how far} of those with the same type as one; of integers, if none has."""
    names = list(members)
    if name not in members:
        return {}
    same = [other for other in names if members[other] == members[name]]
    if len(same) == 1 and is_integer(members[name]):
        same = [other for other in names if is_integer(members[other])]
    place = names.index(name)
    return {other: abs(names.index(other) - place) for other in same if other != name}


def is_integer(of):
    return bool(re.fullmatch(r"(unsigned|signed|int|long|short|char|bool|[us]\d+)\b[^*[]*", of))
