"""Starts LocalStack without Docker and without downloads.

- DynamoDB is moto's: LocalStack's own is DynamoDB Local, a Java program that it would download.
- A function can be created, but not invoked: LocalStack runs functions in Docker only.
"""

from localstack.aws.api.dynamodb import DynamodbApi
from localstack.runtime.main import main
from localstack.services.lambda_.invocation.docker_runtime_executor import DockerRuntimeExecutor
from localstack.services.moto import MotoFallbackDispatcher
from localstack.services.plugins import SERVICE_PLUGINS, Service
from moto.dynamodb.models.table import Table


class DynamoDbOfMoto(DynamodbApi):
    """Implements nothing, so that moto answers every call."""


SERVICE_PLUGINS.add_service(
    Service.for_provider(DynamoDbOfMoto(), dispatch_table_factory=MotoFallbackDispatcher)
)

describe = Table.describe


def describe_with_id(table, base_key="TableDescription"):
    """LocalStack's CloudFormation reads the id of a table, which moto does not have."""
    described = describe(table, base_key)
    described[base_key]["TableId"] = table.name
    return described


Table.describe = describe_with_id
DockerRuntimeExecutor.prepare_version = classmethod(lambda cls, version: None)
DockerRuntimeExecutor.cleanup_version = classmethod(lambda cls, version: None)
main()
