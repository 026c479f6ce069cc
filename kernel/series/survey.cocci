// SPDX-License-Identifier: GPL-2.0
// Where the tracepoints that get the table fire: one line a call, with the function
// it stands in. TRACEPOINTS is replaced by their names, joined by |.
@site@
identifier tp =~ "^(trace_|trace_call__)(TRACEPOINTS)_tp$";
expression list args;
position p;
@@
 tp@p(args)

@script:python@
tp << site.tp;
p << site.p;
@@
print("SITE", tp, p[0].file, p[0].line, p[0].current_element)
