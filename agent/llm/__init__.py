"""The one door to language models: client, schema, ledger, prompts."""
