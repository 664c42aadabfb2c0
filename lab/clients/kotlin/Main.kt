import org.openapitools.client.apis.PlantsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.Error
import org.openapitools.client.models.NewPlant

fun main() {
  ApiClient.accessToken = System.getenv("PLANT_STORE_TOKEN")
  val plants = PlantsApi(System.getenv("BASE_URL"))
  for (plant in listOf(
    NewPlant(9007199254740993, "Fern"),
    NewPlant(9223372036854775807, "Fern"),
    NewPlant(9223372036854775807, "Moss"),
  )) {
    try {
      println(plants.createPlant(plant).name)
    } catch (refused: ClientException) {
      val body = (refused.response as ClientError<*>).body as String
      println(Serializer.moshi.adapter(Error::class.java).fromJson(body)?.error)
    }
  }
}
