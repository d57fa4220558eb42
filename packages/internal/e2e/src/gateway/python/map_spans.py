"""Reads spans with the mapper that strands-agents-evals chooses for them, and prints what it found, trace by trace."""

import importlib.util
import json
import sys
import types


# Importing the package itself takes strands, boto3 and two hundred megabytes; its mappers need none of that.
for name in ("strands_evals", "strands_evals.types"):
    module = types.ModuleType(name)
    module.__path__ = list(importlib.util.find_spec(name).submodule_search_locations)
    sys.modules[name] = module

from strands_evals.mappers import detect_otel_mapper, parse_cloudwatch_logs  # noqa: E402


def read(session):
    spans = parse_cloudwatch_logs(session["spans"])
    mapped = detect_otel_mapper(spans).map_to_session(spans, session["sessionId"])
    return [read_trace(trace.spans) for trace in mapped.traces]


def read_trace(spans):
    of = lambda kind: [span for span in spans if span.span_type == kind]
    prompts = {span.span_info.span_id: span.user_prompt for span in of("invoke_agent")}
    return {
        "agents": [
            {
                "asked": span.user_prompt,
                "answered": span.agent_response,
                "below": prompts.get(span.span_info.parent_span_id),
                "tools": [tool.name for tool in span.available_tools],
            }
            for span in of("invoke_agent")
        ],
        "tools": [
            {
                "name": span.tool_call.name,
                "arguments": span.tool_call.arguments,
                "result": span.tool_result.content,
                "of": prompts[span.agent_span_id],
            }
            for span in of("execute_tool")
        ],
        "chats": [[said(message) for message in span.messages] for span in of("inference")],
    }


def said(message):
    parts = [
        getattr(part, "text", None) or getattr(part, "content", None) or part.name for part in message.content
    ]
    return f"{message.role.value}: {' '.join(parts)}"


print(json.dumps([read(session) for session in json.load(sys.stdin)]))
